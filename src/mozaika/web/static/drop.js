/** A record that is dropped on a page, or chosen as a file, becomes a table of its own, and its review opens. */

import { postText } from "./api.js";
import { say } from "./dom.js";

/** The server reads no longer ones. */
const MOST_BYTES = 1 << 20;

/** @param {(message: string) => void} onWrong */
export function takeRecords(onWrong) {
  const carries = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (carries(event)) event.preventDefault();
    document.body.classList.toggle("dropping", Boolean(carries(event)));
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    reviewFile(file, onWrong);
  });
}

/** @param {File} file @param {(message: string) => void} onWrong */
export async function reviewFile(file, onWrong) {
  if (file.size > MOST_BYTES) onWrong(say("file_too_large"));
  else await reviewText(await file.text(), onWrong);
}

/** @param {string} text @param {(message: string) => void} onWrong */
export async function reviewText(text, onWrong) {
  onWrong("");
  try {
    location.href = (await postText("/api/records", text)).review;
  } catch (error) {
    onWrong(/** @type {Error} */ (error).message);
  }
}
