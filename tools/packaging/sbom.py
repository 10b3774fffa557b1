# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bill of materials of the packages: CycloneDX 1.6 in JSON, always the same bytes.

Each archive is a component with its digest and package URL. It depends on the library's source,
and on what the packer names in CONTAINS: [(package URL, licence), ...].
"""

import datetime
import hashlib
import json
import re
import uuid

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from tools.packaging import package_stage

LICENSE = "Apache-2.0 OR MIT"
NAMESPACE = uuid.UUID("6b1ed4ab-4a5b-5c0f-9c3c-0b0f1f4f6f10")  # any; makes serial numbers


def package_url(place, packer):
    """Returns the package URL of an archive, as the type of its registry asks for it.

    place: its path below the folder of all archives
    """
    version, name = package_stage.version(), place.name
    stem = re.split(rf"[-_@]v?{re.escape(version)}", name)[0]
    if packer == "go":
        module = place.relative_to("go").parent.parent
        return PackageURL("golang", str(module.parent), module.name, f"v{version}")
    if packer == "java":
        kind = {"type": place.suffix[1:]}
        if "-sources" in name or "-javadoc" in name:
            kind["classifier"] = place.stem.rpartition("-")[2]
        return PackageURL("maven", "io.github.codekem", stem, version, kind)
    if packer in {"debian", "age"}:
        _, of_debian, processor = place.stem.split("_")
        return PackageURL("deb", "codekem", stem, of_debian, {"arch": processor})
    registry = {"python": "pypi", "rust": "cargo", "js": "npm"}.get(packer, "generic")
    return PackageURL(registry, None, stem, version, {"file_name": name})


def archive_component(path, packer, place):
    """Returns the component of an archive that packer made."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Component(
        name=path.name,
        version=package_stage.version(),
        type=ComponentType.LIBRARY,
        bom_ref=place.as_posix(),
        purl=package_url(place, packer),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        licenses=[LicenseFactory().make_from_string(LICENSE)],
    )


def part_component(url, license_name):
    """Returns the component of what an archive holds besides the library."""
    purl = PackageURL.from_string(url)
    return Component(
        name=purl.name,
        group=purl.namespace,
        version=purl.version,
        type=ComponentType.LIBRARY,
        bom_ref=url,
        purl=purl,
        licenses=[LicenseFactory().make_from_string(license_name)],
    )


def make(archives, contains, folder):
    """Returns the bill as text.

    archives: {path below folder: name of the packer}; contains: {name of the packer: its CONTAINS}
    """
    archives = {  # a module of Go has files of a few words beside it
        path: packer for path, packer in archives.items() if packer != "go" or path.suffix == ".zip"
    }
    bom = Bom()
    license_of = LicenseFactory().make_from_string
    version = package_stage.version()
    release = Component(
        name="codekem-packages",
        version=version,
        type=ComponentType.LIBRARY,
        bom_ref="codekem-packages",
        licenses=[license_of(LICENSE)],
    )
    library = Component(
        name="codekem",
        version=version,
        type=ComponentType.LIBRARY,
        bom_ref="codekem",
        purl=PackageURL("generic", None, "codekem", version),
        licenses=[license_of(LICENSE)],
    )
    bom.metadata.component = release
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(
        package_stage.source_date_epoch(), datetime.UTC
    )
    components = {
        path: archive_component(path, packer, path.relative_to(folder))
        for path, packer in sorted(archives.items())
    }
    urls = sorted({part for packer in archives.values() for part in contains.get(packer, [])})
    parts = {url: part_component(url, license_name) for url, license_name in urls}
    for component in [library, *components.values(), *parts.values()]:
        bom.components.add(component)
    bom.register_dependency(release, components.values())
    for path, packer in archives.items():
        held = [parts[url] for url, _ in contains.get(packer, [])]
        bom.register_dependency(components[path], [library, *held])
    digests = sorted(
        f"{path.relative_to(folder)} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in archives
    )
    bom.serial_number = uuid.uuid5(NAMESPACE, "\n".join(digests))
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem is not None:
        raise ValueError(f"the bill of materials breaks its schema: {problem}")
    return json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"
