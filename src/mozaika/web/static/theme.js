/** Light or dark before anything is drawn: as chosen in this browser, else as the system has it. It is no module: those
 * wait for the page. */

(() => {
  /** When each palette is used, by what is chosen. @type {Record<string, Record<string, string>>} */
  const PALETTES = {
    light: { light: "all", dark: "not all" },
    dark: { light: "not all", dark: "all" },
  };
  /** @type {Record<string, string>} */
  const SYSTEM = { light: "(prefers-color-scheme: light)", dark: "(prefers-color-scheme: dark)" };

  function chosen() {
    try {
      return JSON.parse(localStorage.getItem("mozaika.settings") ?? "null")?.theme ?? "";
    } catch {
      return "";
    }
  }

  function dress() {
    const theme = chosen();
    const palette = PALETTES[theme] ?? SYSTEM;
    const page = document.documentElement;
    page.dataset.dark = palette.dark;
    page.style.colorScheme = theme in PALETTES ? theme : "";
    for (const part of document.querySelectorAll("[data-palette]")) {
      part.setAttribute("media", palette[part.getAttribute("data-palette") ?? ""]);
    }
    document.dispatchEvent(new Event("theme"));
  }

  dress();
  document.addEventListener("settings", dress);
  addEventListener("storage", dress);
})();
