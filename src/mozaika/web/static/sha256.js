/** SHA-256 and HMAC of our own: what browsers have for it is missing where a page came over plain http. */

const K = constants(64, 3);
const START = constants(8, 2);

/** The first 32 bits of the fractional parts of the roots of the first primes. @param {number} count @param {2 | 3} root */
function constants(count, root) {
  /** @type {[number, number][]} */
  const found = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every(([prime]) => n % prime)) found.push([n, fraction(BigInt(n), root)]);
  }
  return Uint32Array.from(found, ([, bits]) => bits);
}

/** The largest x with x^root <= n * 2^(32 root), without its whole part. @param {bigint} n @param {number} root */
function fraction(n, root) {
  const wanted = n << BigInt(32 * root);
  let found = 0n;
  for (let bit = 1n << 40n; bit; bit >>= 1n) {
    if ((found | bit) ** BigInt(root) <= wanted) found |= bit;
  }
  return Number(found & 0xffffffffn);
}

/** @param {string} text */
export const bytes = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} data */
export const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {Uint8Array} data @returns {Uint8Array} */
export function sha256(data) {
  const length = (((data.length + 8) >> 6) + 1) << 6;
  const padded = new Uint8Array(length);
  padded.set(data);
  padded[data.length] = 128;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(data.length / 0x20000000));
  view.setUint32(length - 4, data.length << 3);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let at = 0; at < length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    mix(state, w);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

const turn = (/** @type {number} */ x, /** @type {number} */ n) => (x >>> n) | (x << (32 - n));

/** @param {Uint32Array} state @param {Uint32Array} w */
function mix(state, w) {
  for (let i = 16; i < 64; i++) {
    const [a, b] = [w[i - 15], w[i - 2]];
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] += word));
}

/** @param {Uint8Array} key @param {Uint8Array} message @returns {Uint8Array} */
export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(Uint8Array.of(...block.map((byte) => byte ^ 0x36), ...message));
  return sha256(Uint8Array.of(...block.map((byte) => byte ^ 0x5c), ...inner));
}
