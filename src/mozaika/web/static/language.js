/** The language links keep the reader on the page. */

for (const link of document.querySelectorAll("a[data-lang]")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const href = /** @type {HTMLAnchorElement} */ (link).href;
    try {
      await fetch(href, { credentials: "same-origin" });
      const here = new URL(location.href);
      here.searchParams.delete("lang");
      here.href === location.href ? location.reload() : location.replace(here);
    } catch {
      location.href = href;
    }
  });
}
