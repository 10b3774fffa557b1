// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the theme leaves out for those who use a keyboard or a screen reader: what can be scrolled
// can be reached, and parts of the page have names.
addEventListener("load", () => {
  const name = (part, text) => {
    part.removeAttribute("aria-labelledby"); // the label may be hidden, and then says nothing
    part.setAttribute("aria-label", text);
  };
  const scroll = (part, text) => {
    if (part.scrollWidth > part.clientWidth) {
      part.tabIndex = 0;
      part.setAttribute("role", "group");
      name(part, text);
    }
  };
  const each = (selector, change) => document.querySelectorAll(selector).forEach(change);
  const look = () => {
    each(".md-search[role=dialog]", (part) => name(part, "Search"));
    each(".md-code__nav", (part) => part.setAttribute("role", "none"));
    each("nav[aria-labelledby]", (part) => {
      const label = part.parentElement.querySelector(".md-ellipsis");
      name(part, label ? label.textContent.trim() : "Pages");
    });
    each(".md-typeset__scrollwrap", (part) => scroll(part, "table, wider than the screen"));
    each(".md-typeset pre > code", (part) => scroll(part, "code, wider than the screen"));
  };
  look();
  addEventListener("resize", look);
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
});
