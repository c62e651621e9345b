/** A record is checked without a server, and so are its hashes. */

import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import test from "node:test";

import { check, commitmentOf, numberBelow, parse, pledgeOf, seedAt, seedOf, wrongDraws } from "./proof.js";
import { bytes, hex, hmac, sha256 } from "./sha256.js";

test("SHA-256 is that of FIPS 180-4", () => {
  const known = {
    "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    abc: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu":
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
  };
  for (const [text, digest] of Object.entries(known)) assert.equal(hex(sha256(bytes(text))), digest);
  const million = new Uint8Array(1_000_000).fill(97);
  assert.equal(hex(sha256(million)), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
});

test("HMAC is that of RFC 4231", () => {
  assert.equal(hex(hmac(bytes("Jefe"), bytes("what do ya want for nothing?"))), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  assert.equal(
    hex(hmac(new Uint8Array(131).fill(0xaa), bytes("Test Using Larger Than Block-Size Key - Hash Key First"))),
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  );
});

test("both are those of others, whatever the length", () => {
  for (let length = 0; length < 200; length += 1) {
    const data = randomBytes(length);
    assert.equal(hex(sha256(data)), createHash("sha256").update(data).digest("hex"));
    assert.equal(hex(hmac(data, data)), createHmac("sha256", data).update(data).digest("hex"));
  }
});

test("a draw is the documented function of seed and ply", () => {
  const digest = createHmac("sha256", "sunday").update("7:0").digest();
  assert.equal(numberBelow("sunday", 7, 100), Number(digest.readBigUInt64BE() % 100n));
});

/** A record as the server writes it; the Python tests compare the two sides. */
function game(change = {}) {
  const epoch = { number: 1, stage: "settled", ply: 0, commitment: "", secret: "5".repeat(64), parties: [] };
  epoch.commitment = commitmentOf("t", epoch);
  epoch.parties = ["1+3", "2"].map((label, index) => {
    const contribution = String(index + 6).repeat(64);
    return { label, contribution, pledge: pledgeOf("t", 1, epoch.commitment, label, contribution) };
  });
  Object.assign(epoch, change);
  const parties = epoch.parties.flatMap(({ label, pledge, contribution }) => [
    ...(pledge ? [`epoch 1 seat ${label} pledge: ${pledge}`] : [`epoch 1 seat ${label}: left out`]),
    ...(contribution ? [`epoch 1 seat ${label} contribution: ${contribution}`] : []),
  ]);
  const said = [`epoch 1: ${epoch.stage}`, `epoch 1 commitment: ${epoch.commitment}`, `epoch 1 secret: ${epoch.secret}`];
  const text = ["Mozaika record 1", "Draws: epochs/1", "Table: t", "", ...said, ...parties, "chance: a, b", "1: move # why", "chance: c", ""];
  return { text: text.join("\n"), epoch };
}

const kinds = (some) => some.map(([key]) => key);

test("an honest record proves who had a part", () => {
  const { text, epoch } = game();
  const record = parse(text);
  assert.deepEqual(record.drawn, [0, 1, 3]);
  assert.equal(seedAt(record, 3), seedOf("t", epoch));
  const found = check(record);
  assert.deepEqual(found.faults, []);
  assert.deepEqual(kinds(found.proven), ["proof_part"]);
  assert.deepEqual(kinds(found.unproven), ["proof_unpublished"]);
  const kept = { 1: { commitment: epoch.commitment, numbers: [epoch.parties[1].contribution] } };
  assert.deepEqual(kinds(check(record, kept).proven), ["proof_part", "proof_mine", "proof_kept"]);
  assert.deepEqual(kinds(check(record, {}, epoch.commitment).proven), ["proof_part", "proof_given"]);
  const late = { 1: { commitment: epoch.commitment, numbers: [], late: true } };
  assert.deepEqual(kinds(check(record, late).unproven), ["proof_unpublished"], "who came later cannot say");
});

test("whatever was changed is found", () => {
  const { text, epoch } = game();
  const faults = (record, ...rest) => kinds(check(parse(record), ...rest).faults);
  assert.deepEqual(faults(text.replace("5".repeat(64), "4".repeat(64))), ["proof_mismatch"]);
  assert.deepEqual(faults(text.replace("7".repeat(64), "8".repeat(64))), ["proof_not_pledged"]);
  assert.deepEqual(faults(text, {}, "0".repeat(64)), ["proof_mismatch"]);
  assert.deepEqual(faults(text, { 1: { commitment: "another", numbers: [] } }), ["proof_changed"]);
  assert.deepEqual(faults(text, { 1: { commitment: epoch.commitment, numbers: ["mine"] } }), ["proof_not_mine"]);
  const late = { commitment: epoch.commitment, numbers: ["6".repeat(64)], pledges: { "1+3": epoch.parties[0].pledge, 2: "" } };
  assert.deepEqual(faults(text, { 1: late }), ["proof_not_pledged"], "who pledges after others have shown can choose");
  const seen = { commitment: epoch.commitment, numbers: [] };
  assert.deepEqual(faults(text, { 1: seen, 2: { ...seen } }), ["proof_missing"], "what was seen may not vanish");
  assert.deepEqual(faults("Mozaika record 1\n"), ["proof_told"]);
  assert.deepEqual(faults(text.replace(/epoch 1 secret.*\n/, "")), ["proof_not_shown"]);
});

test("the order of lines chooses no seed", () => {
  const { text, epoch } = game();
  const turned = game({ parties: [...epoch.parties].reverse() }).text;
  assert.notEqual(turned, text);
  assert.equal(seedAt(parse(turned), 0), seedAt(parse(text), 0));
  const shared = epoch.parties.map((party, index) => ({ ...party, label: index ? "1+2" : "1+3" }));
  const seeds = [shared, [...shared].reverse()].map((parties) => seedAt(parse(game({ parties }).text), 0));
  assert.equal(seeds[0], seeds[1], "not even of people who cannot sit so");
});

test("a server that has seen all numbers cannot choose any more", () => {
  const { text, epoch } = game();
  const [one, two] = epoch.parties;
  const faults = (record, kept) => kinds(check(parse(record), { 1: kept }).faults);
  const kept = { commitment: epoch.commitment, numbers: [one.contribution], pledges: { "1+3": one.pledge, 2: two.pledge }, ply: 0 };
  assert.deepEqual(faults(text, kept), []);
  const hidden = game({ parties: [one, { ...two, contribution: "" }] }).text;
  assert.deepEqual(faults(hidden, kept), ["proof_not_added"]);
  assert.deepEqual(kinds(check(parse(hidden)).faults), ["proof_not_added"], "nor does it go without what was kept");
  for (const parties of [[one, { ...two, pledge: "", contribution: "" }], [one]]) {
    assert.deepEqual(faults(game({ parties }).text, kept), ["proof_not_added"], "what was pledged may not vanish");
  }
  const nobody = epoch.parties.map(({ label }) => ({ label, pledge: "", contribution: "" }));
  for (const parties of [nobody, []]) {
    assert.deepEqual([...new Set(faults(game({ parties }).text, kept))].sort(), ["proof_not_added", "proof_not_mine"]);
  }
  const commitment = hex(sha256(bytes("mozaika commitment chosen")));
  const alone = ["Mozaika record 1", "Draws: epochs/1", "Table: t", "epoch 1: alone", `epoch 1 commitment: ${commitment}`, "epoch 1 seed: chosen", "chance: a", ""];
  const found = faults(alone.join("\n"), { ...kept, commitment });
  assert.ok(found.includes("proof_not_mine"), "a seed of the server under the fingerprint that everybody saw");
});

test("what was settled stays where it was settled", () => {
  const { text, epoch } = game();
  const kept = { commitment: epoch.commitment, numbers: [], ply: 0 };
  const faults = (record, seen) => kinds(check(parse(record), { 1: seen }).faults);
  assert.deepEqual(faults(text, { ...kept, ply: 5 }), [], "moves were taken back since");
  const [head, ...rest] = text.split("chance: a, b\n");
  const [before, said] = head.split(/(?=epoch 1: settled)/);
  assert.deepEqual(faults(`${before}chance: a, b\n${said}${rest.join("")}`, kept), ["proof_disorder"]);
  assert.deepEqual(faults(game({ stage: "dropped" }).text, kept), ["proof_disorder"]);
  const twice = text.replace("chance: c", `${said}chance: c`);
  assert.deepEqual(kinds(check(parse(twice)).faults), ["proof_disorder"]);
});

test("the fingerprint of an attempt that was given up proves nothing of the next", () => {
  const { text, epoch } = game();
  const commitment = "c".repeat(64);
  const dropped = ["epoch 0: dropped", `epoch 0 commitment: ${commitment}`, "epoch 1: settled"].join("\n");
  const record = parse(text.replace("epoch 1: settled", dropped));
  const found = check(record, {}, commitment);
  assert.deepEqual([found.faults, kinds(found.proven)], [[], ["proof_part"]]);
  assert.ok(kinds(found.unproven).includes("proof_unpublished"));
  assert.ok(kinds(check(record, {}, epoch.commitment).proven).includes("proof_given"));
});

test("draws of which a browser was told only by the record are named", () => {
  const { text, epoch } = game();
  const seen = { commitment: epoch.commitment, numbers: [epoch.parties[1].contribution] };
  const found = check(parse(text.replaceAll("epoch 1", "epoch 2")), { 1: seen });
  assert.deepEqual(found.unproven[0], ["proof_unseen", { ply: 0 }]);
  assert.equal(kinds(check(parse(text), {}).unproven)[0], "proof_unseen", "also who was told nothing at all");
  assert.ok(!kinds(check(parse(text)).unproven).includes("proof_unseen"), "of a game of others it was told nothing");
  assert.ok(!kinds(check(parse(text), { 1: seen }).unproven).includes("proof_unseen"));
});

test("who had no part is named", () => {
  const parties = [{ label: "1", pledge: "", contribution: "" }];
  assert.deepEqual(kinds(check(parse(game({ parties }).text)).unproven), ["proof_nobody", "proof_unpublished"]);
  const half = game().epoch.parties.map((party, index) => (index ? party : { ...party, pledge: "", contribution: "" }));
  assert.deepEqual(check(parse(game({ parties: half }).text)).unproven[0], ["proof_left_out", { ply: 0, seats: "1+3" }]);
  const hiding = game().epoch.parties.map((party) => ({ ...party, contribution: "" }));
  assert.deepEqual(kinds(check(parse(game({ stage: "dropped", parties: hiding }).text)).unproven)[0], "proof_dropped");
});

test("a draw is recomputed where its outcome lies", () => {
  const { text, epoch } = game();
  const record = parse(text);
  const number = numberBelow(seedOf("t", epoch), 3, 90);
  assert.deepEqual(wrongDraws(record, [[3, 90, number, 1]]), []);
  assert.deepEqual(wrongDraws(record, [[3, 90, number + 1, 5]]).length, 1);
});

test("a table of one guest has one seed", () => {
  const commitment = hex(sha256(bytes("mozaika commitment my seed")));
  const record = parse(`Mozaika record 1\nDraws: hmac-sha256/1\nCommitment: ${commitment}\nSeed: my seed\n\nchance: a\n`);
  const found = check(record, null, commitment);
  assert.deepEqual([found.faults, kinds(found.proven), kinds(found.unproven)], [[], ["proof_given"], ["proof_nobody"]]);
  assert.equal(seedAt(record, 0), "my seed");
});
