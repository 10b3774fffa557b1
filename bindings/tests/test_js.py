# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package: its own tests where it is installed, other programs, types, size, the page."""

import gzip
import json
import os
import re
import shutil
import subprocess

import pytest

from bindings import pack_js
from bindings.tests import made_packages
from tools.packaging import package_stage

# No code from text, as many pages and servers forbid it.
NODE = ["node", "--disallow-code-generation-from-strings"]
NODE_MAJOR = 20
OWN_TESTS = ["known_answers.test.mjs", "usage.test.mjs", "keys.test.mjs"]


def output(*command, **options):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def node():
    """Says why nothing can be tested if Node.js is missing or too old."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("the npm package not tested: install Node.js 20 or newer, and npm")
    found = output("node", "--version").strip()
    if int(found.removeprefix("v").split(".")[0]) < NODE_MAJOR:
        pytest.skip(f"the npm package not tested: it needs Node.js {NODE_MAJOR}, here is {found}")


@pytest.fixture(scope="session")
def staged(node):
    return made_packages.found("js") / "stage"


@pytest.fixture(scope="session")
def archive(staged):
    (found,) = staged.parent.glob("*.tgz")
    return found


@pytest.fixture(scope="session")
def project(archive, staged, tmp_path_factory):
    """An empty project with the package from its archive, and the package's tests."""
    folder = tmp_path_factory.mktemp("js-project")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    output("npm", "install", "--offline", "--no-audit", "--no-fund", archive, cwd=folder)
    for path in (staged / "test").iterdir():
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="session")
def npm_tools(node):
    """The tools of bindings/js/package-lock.json."""
    try:
        return pack_js.tools()
    except OSError as error:
        pytest.skip(f"not tested without tools of the npm registry: {error}")


@pytest.mark.parametrize("module", ["simd", pytest.param("plain", marks=pytest.mark.long)])
def test_package_passes_its_own_tests(module, project):
    plain = ["--import", "./plain.mjs"] if module == "plain" else []
    said = output(*NODE, *plain, "--test", *OWN_TESTS, cwd=project)
    assert int(re.search(r"^# pass (\d+)$", said, re.MULTILINE)[1]) >= 60
    assert re.search(r"^# skipped 0$", said, re.MULTILINE)


def test_archive_has_what_it_needs_and_no_more(archive, project):
    package = project / "node_modules" / "codekem"
    names = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    assert names == {
        *["LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json"],
        *[
            f"{name}.{kind}"
            for name in ["index", "bike", "hpke", "hqc", "hybrid", "keys"]
            for kind in ["js", "d.ts"]
        ],
        *[f"edge/{name}.js" for name in ["index", "bike", "hqc"]],
        *["bike.wasm", "hqc.wasm", "internal/wasm.d.ts", "internal/types.d.ts"],
        *[f"internal/{name}.js" for name in ["bike_module", "hqc_module", "inflate", "module"]],
        *[f"internal/{name}.js" for name in ["bytes", "identifiers", "kem", "parameters"]],
    }
    assert archive.stat().st_size < 88_000
    # Scripts are for a clone; some versions of npm would run them for who installs.
    assert (
        not {"dependencies", "scripts"} & json.loads((package / "package.json").read_text()).keys()
    )
    text = "".join(path.read_text() for path in package.rglob("*.js"))
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)  # where types are imported
    # Awaiting at the top keeps a module out of service workers, and from require.
    assert not re.search(
        r"(?m)\beval\(|\bFunction\(|\bfetch\(|\bimport\(|\brequire\(|^await\b", text
    )


def test_modules_import_nothing(project, tmp_path):
    script = """
      import { readFileSync } from "node:fs";
      import { inflate } from "./node_modules/codekem/internal/inflate.js";
      for (const family of ["bike", "hqc"]) {
        const { text, lengths } =
          await import(`./node_modules/codekem/internal/${family}_module.js`);
        const both = inflate(Buffer.from(text, "base64"), lengths[0] + lengths[1]);
        for (const bytes of [both.subarray(0, lengths[0]), both.subarray(lengths[0])])
          console.log(WebAssembly.Module.imports(new WebAssembly.Module(bytes)).length,
                      bytes.includes(0xfd));
        const file = readFileSync(`node_modules/codekem/${family}.wasm`);
        if (!file.equals(both.subarray(0, lengths[0]))) throw new Error(`${family}.wasm differs`);
      }"""
    said = output("node", "--input-type=module", "-e", script, cwd=project)
    assert [line.split()[0] for line in said.splitlines()] == ["0"] * 4


@pytest.mark.long
def test_archive_is_the_same_when_made_twice(archive, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", made_packages.EPOCH)
    again = pack_js.stage(tmp_path / "stage")
    assert pack_js.pack_archive(again, tmp_path / "out").read_bytes() == archive.read_bytes()


def tsc(npm_tools, compiler, folder, check=True):
    """Runs a TypeScript compiler of package.json on a project; returns its status and words."""
    done = subprocess.run(
        ["node", npm_tools / compiler / "bin" / "tsc", "-p", "."],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done.returncode, done.stdout


def test_javascript_has_the_types_that_it_says(staged, npm_tools, tmp_path):
    """The package's own files, by the newest compiler."""
    folder = tmp_path / "types"
    shutil.copytree(staged, folder, symlinks=True)
    (folder / "node_modules").unlink(missing_ok=True)
    (folder / "node_modules").symlink_to(npm_tools)
    tsc(npm_tools, "typescript", folder)
    page = folder / "internal" / "kem.js"
    page.write_text(page.read_text().replace("wipe(used)", 'wipe("used")'))
    assert tsc(npm_tools, "typescript", folder, check=False)[0] != 0


# What a project of a user asks for at most; its libraries are looked at, too.
STRICT = {"strict": True, "noEmit": True, "skipLibCheck": False, "types": [], "target": "es2022"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("compiler", "resolution"),
    [
        pytest.param("typescript-5", "nodenext", marks=pytest.mark.long),
        ("typescript-5", "bundler"),
        ("typescript", "nodenext"),
    ],
)
def test_types_serve_a_user(compiler, resolution, project, npm_tools, tmp_path):
    """From the oldest compiler that the README names to the newest, without the package's own
    settings, and without any types of JavaScript files."""
    folder = tmp_path / "user"
    shutil.copytree(project / "node_modules" / "codekem", folder / "node_modules" / "codekem")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    text = (project / "types.ts").read_text()
    (folder / "types.ts").write_text(text)
    # None of the types is any: each mistake that the file names is one.
    mistakes = text.count("// @ts-expect-error")
    (folder / "mistakes.ts").write_text(text.replace("@ts-expect-error", ""))
    options = STRICT | {"lib": ["es2022", "dom"], "moduleResolution": resolution}
    options["module"] = "nodenext" if resolution == "nodenext" else "es2022"
    config = {"compilerOptions": options, "files": ["types.ts", "mistakes.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(config))
    _, said = tsc(npm_tools, compiler, folder, check=False)
    errors = re.findall(r"^(\S+)\(\d+,\d+\): error", said, re.MULTILINE)
    assert errors == ["mistakes.ts"] * mistakes, said


def test_oldest_compiler_is_the_one_that_the_readme_names(root):
    tools = json.loads((root / "bindings/js/package.json").read_text())["devDependencies"]
    (named,) = re.findall(
        r"TypeScript (\d+\.\d+) or newer", (root / "bindings/js/README.md").read_text()
    )
    assert tools["typescript-5"].startswith(f"npm:typescript@{named}.")


def test_files_have_the_layout_of_prettier(staged, npm_tools, tmp_path):
    """Those of git; the staged copy has generated ones besides."""
    folder = tmp_path / "layout"
    package_stage.stage("bindings/js", folder)
    (folder / "node_modules").symlink_to(npm_tools)
    globs = ["**/*.{js,mjs,ts,html,css}", "package.json"]
    output("node_modules/.bin/prettier", "--check", *globs, cwd=folder)
    shutil.copytree(package_stage.ROOT / "tools/site/assets", folder / "assets")
    output("node_modules/.bin/prettier", "--check", "assets/*.{js,css}", cwd=folder)
    (folder / "hqc.js").write_text((folder / "hqc.js").read_text() + "\n\nconst a=1")
    check = ["node_modules/.bin/prettier", "--check", "hqc.js"]
    assert subprocess.run(check, cwd=folder, capture_output=True, check=False).returncode == 1


def bundle(npm_tools, folder, text, name):
    """Bundles a module as a user's tool does, and returns it."""
    (folder / f"{name}.mjs").write_text(text)
    out = folder / f"{name}.out.mjs"
    output(
        *[npm_tools / ".bin" / "esbuild", f"{name}.mjs", "--bundle", "--minify", "--format=esm"],
        *[f"--outfile={out}", "--log-level=warning"],
        cwd=folder,
    )
    return out.read_bytes()


def test_size_is_small_and_what_is_not_used_is_left_out(project, npm_tools):
    everything = bundle(npm_tools, project, 'export * from "codekem";', "all")
    assert len(gzip.compress(everything, 9)) <= 35_000
    one = bundle(npm_tools, project, 'import {hqc1} from "codekem"; hqc1.keygen();', "one")
    assert len(gzip.compress(one, 9)) <= 19_700
    assert b"BIKE-L1" not in one
    none = bundle(npm_tools, project, 'import "codekem"; console.log(1);', "none")
    assert len(none) < 100


EXCHANGE = """
import { readFileSync, writeFileSync } from "node:fs";
import * as codekem from "codekem";
const [name, step] = process.argv.slice(2);
const kem = Object.values(codekem).find((kem) => kem.name === name);
const read = (file) => new Uint8Array(readFileSync(file));
if (step === "keygen") {
  const { publicKey, secretKey } = kem.keygen();
  writeFileSync("js.pub", publicKey);
  writeFileSync("js.key", secretKey);
} else if (step === "encaps") {
  const { cipherText, sharedSecret } = kem.encapsulate(read("command.pub"));
  writeFileSync("js.ct", cipherText);
  writeFileSync("js.secret", sharedSecret);
} else {
  writeFileSync("js.opened", kem.decapsulate(read("command.ct"), read("js.key")));
}
"""


@pytest.mark.parametrize(
    "kem",
    [
        kem if kem in ("HQC-1", "BIKE-L1") else pytest.param(kem, marks=pytest.mark.long)
        for kem in package_stage.KEMS
    ],
)
def test_exchange_with_the_command(kem, project, command, tmp_path):
    """Both ways, by files. No package of the npm registry has the same revision of a KEM."""
    script = project / "exchange.mjs"
    script.write_text(EXCHANGE)
    raw = ["--kem", kem, "--format", "raw"]

    def run(*arguments):
        return output(command, *arguments, *raw, cwd=tmp_path)

    def javascript(step):
        output("node", script, kem, step, cwd=tmp_path)

    javascript("keygen")
    run("keygen", "--public", "command.pub", "--secret", "command.key")
    javascript("encaps")
    run("encaps", "--public", "js.pub", "--ciphertext", "command.ct", "--shared", "command.secret")
    javascript("decaps")
    run("decaps", "--secret", "command.key", "--ciphertext", "js.ct", "--shared", "command.opened")
    read = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert read["js.secret"] == read["command.opened"]
    assert read["js.opened"] == read["command.secret"]
    assert read["js.secret"] != read["js.opened"]


@pytest.mark.parametrize("document", ["bindings/js/README.md", "docs/packages.md"])
def test_examples_run(document, project, root):
    """Every block of JavaScript in the documents, as a program of its own."""
    blocks = re.findall(r"```js\n(.*?)```", (root / document).read_text(), re.DOTALL)
    assert blocks
    for number, block in enumerate(blocks):
        path = project / f"example{number}.mjs"
        path.write_text(block + "\n")
        said = output(*NODE, path, cwd=project)
        assert "console.log" not in block or said == "true\n"


# Imports a .wasm file as edge runtimes do.
HOOKS = """
import { register } from "node:module";
const load = `export async function load(url, context, next) {
  if (url.endsWith("_module.js")) throw new Error("bytes are loaded");
  if (!url.endsWith(".wasm?module")) return next(url, context);
  const source = 'import { readFileSync } from "node:fs";' +
    'export default new WebAssembly.Module(readFileSync(new URL(' + JSON.stringify(url) + ')));';
  return { format: "module", source, shortCircuit: true };
}`;
register("data:text/javascript," + encodeURIComponent(load));
"""
EXCHANGES = """
import * as all from "codekem";
import { hqc1 } from "codekem/hqc.js";
import { bikeL1 } from "codekem/bike.js";
if (all.hqc1 !== hqc1 || all.bikeL1 !== bikeL1) throw new Error("two of each");
export const answers = () => Object.values(all).map((kem) => {
  const { publicKey, secretKey } = kem.keygen(new Uint8Array(kem.lengths.seed));
  const { cipherText, sharedSecret } = kem.encapsulate(publicKey, new Uint8Array(kem.lengths.msg));
  return `${kem.decapsulate(cipherText, secretKey)}` === `${sharedSecret}` ? sharedSecret : null;
}).join();
"""


@pytest.mark.parametrize(
    "condition", ["workerd", pytest.param("edge-light", marks=pytest.mark.long)]
)
def test_edge_runtimes_get_modules_of_the_program(condition, project):
    """And the same secrets as elsewhere."""
    (project / "hooks.mjs").write_text(HOOKS)
    (project / "edge.mjs").write_text(EXCHANGES + "console.log(answers());")
    edge = output(
        "node", f"--conditions={condition}", "--import=./hooks.mjs", "edge.mjs", cwd=project
    )
    assert edge == output("node", "edge.mjs", cwd=project)
    assert len(edge.split(",")) == 6 * 32


def test_without_webassembly_the_error_says_so(project):
    script = """
      import { hqc1 } from "codekem";
      const said = async (work) => { try { await work(); } catch (e) { console.log(e.message); } };
      await said(() => hqc1.keygen());
      await said(() => hqc1.ready());
      await said(() => hqc1.ready({}));"""
    said = output("node", "--jitless", "--input-type=module", "-e", script, cwd=project)
    lines = said.splitlines()
    assert len(lines) == 3
    assert all("codekem: this engine has no WebAssembly" in line for line in lines)


WORKERD = """
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (compatibilityDate = "2025-01-01", modules = [
  (name = "worker.js", esModule = embed "worker.js"), %s]);
"""


@pytest.mark.long
def test_package_works_in_workerd(project, npm_tools, tmp_path):
    """The engine of Cloudflare's workers, which compiles nothing from bytes: bundled for it, and
    bundled for browsers, where the error says what to do."""
    (tmp_path / "package.json").write_text('{"private": true}')
    output("npm", "install", "--no-audit", "--no-fund", "workerd@1.20261117.1", cwd=tmp_path)
    handler = "export default { async test() { console.log(answers()); } };"
    (project / "worker.mjs").write_text(EXCHANGES + handler)
    said = {}
    for condition in ["workerd", "browser"]:
        folder = tmp_path / condition
        output(
            *[npm_tools / ".bin" / "esbuild", "worker.mjs", "--bundle", "--format=esm"],
            *[f"--conditions={condition}", "--loader:.wasm=copy", "--log-level=warning"],
            *["--entry-names=worker", f"--outdir={folder}"],
            cwd=project,
        )
        names = re.findall(r'from "\./(.*\.wasm)\?module"', (folder / "worker.js").read_text())
        parts = [f'(name = "{name}?module", wasm = embed "{name}")' for name in names]
        (folder / "config.capnp").write_text(WORKERD % ", ".join(parts))
        done = subprocess.run(
            [tmp_path / "node_modules" / ".bin" / "workerd", "test", "config.capnp"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        said[condition] = (done.returncode, done.stdout + done.stderr)
    (project / "elsewhere.mjs").write_text(EXCHANGES + "console.log(answers());")
    assert output("node", "elsewhere.mjs", cwd=project) in said["workerd"][1]
    assert said["workerd"][0] == 0
    assert said["browser"][0] != 0
    assert "compiles no WebAssembly from bytes" in said["browser"][1]


@pytest.mark.long
def test_package_works_in_deno(project, tmp_path):
    """Deno comes from the npm registry, too."""
    tool = tmp_path / "deno"
    tool.mkdir()
    (tool / "package.json").write_text('{"private": true}')
    output("npm", "install", "--no-audit", "--no-fund", "deno@2.9.6", cwd=tool)
    deno = tool / "node_modules" / ".bin" / "deno"
    said = output(
        *[deno, "test", "--allow-read=.", "--allow-env", "--cached-only", "--no-check"],
        *["known_answers.test.mjs"],
        cwd=project,
        env=os.environ | {"DENO_DIR": str(tmp_path / "cache"), "NO_COLOR": "1"},
    )
    assert re.search(r"ok \| 14 passed", said)


@pytest.mark.long
def test_package_works_in_bun(project, tmp_path):
    """Bun, from the npm registry as well, runs the package's test of known answers by its own
    node:test."""
    (tmp_path / "package.json").write_text('{"private": true}')
    output("npm", "install", "--no-audit", "--no-fund", "bun@1.4.5", cwd=tmp_path)
    bun = tmp_path / "node_modules" / ".bin" / "bun"
    done = subprocess.run(
        [bun, "test", "./known_answers.test.mjs"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"NO_COLOR": "1"},
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert re.search(r"^ *14 pass$", said, re.MULTILINE), said
