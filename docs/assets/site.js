// What the theme leaves out for keyboards and screen readers: a button to copy is no landmark, a section of the navigation has a name of
// its own, and tables that scroll take the focus.
function complete() {
  document.querySelectorAll(".md-code__nav:not([role])").forEach((nav) => nav.setAttribute("role", "none"));
  document.querySelectorAll(".md-nav .md-nav[aria-labelledby]").forEach((nav) => {
    nav.setAttribute("aria-label", `Pages of ${document.getElementById(nav.getAttribute("aria-labelledby"))?.textContent.trim()}`);
    nav.removeAttribute("aria-labelledby");
  });
  document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])").forEach((table) => table.setAttribute("tabindex", "0"));
}

new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
complete();
