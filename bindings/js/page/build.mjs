// SPDX-License-Identifier: Apache-2.0 OR MIT
// Builds the page to try codekem: one file that refers to no other. bindings/pack_page.py runs it
// in the staged copy, where the WebAssembly is: node page/build.mjs OUTPUT.html
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const read = (...names) => readFileSync(join(folder, ...names), "utf8");

/** Bundles a file and returns its text and the packages that went into it. */
async function bundle(name, define) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, name)],
    absWorkingDir: join(folder, ".."),
    preserveSymlinks: true, // node_modules may be a link
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    target: "es2022",
    legalComments: "none", // the licences stand in the page
    define,
  });
  const packages = Object.keys(metafile.inputs)
    .map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1])
    .filter(Boolean);
  return { text: outputFiles[0].text, packages: [...new Set(packages)].sort() };
}

function licences(packages) {
  return packages
    .map((name) => {
      const place = ["..", "node_modules", name];
      const { version, license } = JSON.parse(read(...place, "package.json"));
      if (!existsSync(join(folder, ...place, "LICENSE"))) throw new Error(`${name}: no LICENSE`);
      return `${name} ${version} (${license})\n\n${read(...place, "LICENSE").trim()}\n`;
    })
    .join("\n\n");
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const { version } = JSON.parse(read("..", "package.json"));
const noble = JSON.parse(read("..", "node_modules", "@noble", "post-quantum", "package.json"));
const worker = await bundle("worker.js", {});
const page = await bundle("page.js", {
  WORKER: JSON.stringify(worker.text),
  VERSIONS: JSON.stringify({ codekem: version, noble: noble.version }),
  LICENCES: JSON.stringify(licences(worker.packages)),
});
const script = page.text.replaceAll("</script", "<\\/script");
const style = read("page.css");
// No network at all, and no script but the one of this file.
const policy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "img-src data:",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  "worker-src blob:",
].join("; ");
const parts = {
  policy: `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  style: `<style>${style}</style>`,
  script: `<script>${script}</script>`,
};
const html = read("index.html").replace(
  /<!-- (policy|style|script) -->/g,
  (_, name) => parts[name],
);
writeFileSync(process.argv[2], html);
