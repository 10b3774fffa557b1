// SPDX-License-Identifier: Apache-2.0 OR MIT
// Browsers start no worker for a page that was opened from a disk. There the search runs in a
// hidden frame instead, with what it uses of a worker: messages in both directions.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      frame.srcdoc = "<!doctype html><title>search</title>";
      frame.addEventListener("load", () => this.begin(frame.contentWindow, url), { once: true });
      document.body.append(frame);
    }

    begin(inner, url) {
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inner.document.createElement("script");
      script.src = url;
      script.addEventListener("load", () => {
        this.inner = inner;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
      script.addEventListener("error", () => this.dispatchEvent(new Event("error")));
      inner.document.head.append(script);
    }

    postMessage(data) {
      if (!this.inner) {
        this.waiting.push(data);
        return;
      }
      setTimeout(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
