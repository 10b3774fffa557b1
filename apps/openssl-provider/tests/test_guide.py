# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs what docs/tls.md says, as it is written there: files, servers, clients, other commands.

Only the port is another one, and OPENSSL_MODULES names the folder of the module, which is not
installed. nginx's and Apache's files are included in a frame such as the distribution's."""

import contextlib
import os
import pathlib
import re
import shlex
import tempfile

import pytest

from tests import rooms
from tests.tls_programs import CODE_POINTS, GROUPS, Handshake, free_port, run, serving, share_bytes

NGINX_FRAME = """pid nginx.pid;
error_log stderr;
daemon off;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4;
    scgi_temp_path t5;
    include nginx.conf;
}}
"""
APACHE_FRAME = """ServerRoot {folder}
PidFile apache.pid
DefaultRuntimeDir {folder}
Mutex file:{folder}
ErrorLog {folder}/apache.log
Listen 127.0.0.1:{port}
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule dir_module {modules}/mod_dir.so
LoadModule ssl_module {modules}/mod_ssl.so
ServerName localhost
DocumentRoot {folder}/pages
{user}
Include apache.conf
"""
APACHE_MODULES = "/usr/lib/apache2/modules"


class Guide:
    """The blocks of docs/tls.md."""

    def __init__(self, text):
        self.text = " ".join(text.split())
        self.files = dict(
            re.findall(r"^`(\S+)`:\n\n```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        )
        self.commands = {
            kind: "".join(
                re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
            ).splitlines()
            for kind in ["sh", "server", "client"]
        }
        self.rows = [
            [cell.strip(" `") for cell in line.strip("|").split("|")]
            for line in text.splitlines()
            if re.match(r"\| `\w+` \| \d+ \|", line)
        ]


@pytest.fixture(scope="module")
def guide(root):
    return Guide((root / "docs" / "tls.md").read_text())


@pytest.fixture(scope="module")
def folder(guide, module):
    """A folder that servers may read whatever user they run as, with the guide's files, in which
    its commands have been run; with OPENSSL_MODULES set."""
    with contextlib.ExitStack() as stack:
        path = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="codekem-")))
        path.chmod(0o755)
        (path / "pages").mkdir()
        (path / "pages" / "index.html").write_text("hello\n")
        for name in ["codekem.cnf", "groups.cnf", "numbers.cnf", "pool.cnf"]:
            (path / name).write_text(guide.files[name])
        monkeypatch = stack.enter_context(pytest.MonkeyPatch.context())
        monkeypatch.setenv("OPENSSL_MODULES", str(module.parent))
        script = "set -e\ncd " + shlex.quote(str(path)) + "\n" + "\n".join(guide.commands["sh"])
        done = run(["sh", "-c", script])
        (path / "output").write_text(done.stdout)
        yield path


def test_commands_do_what_they_say(guide, folder):
    output = (folder / "output").read_text()
    assert "BIKE-L1" in output and "p521_hqc5" in output and "Key is valid" in output
    assert "BEGIN ENCRYPTED PRIVATE KEY" in (folder / "bob-encrypted.key").read_text()
    assert len(guide.commands["sh"]) >= 10


def test_table_of_groups(guide):
    assert [(row[0], int(row[1])) for row in guide.rows] == list(CODE_POINTS.items())
    assert [(int(row[4]), int(row[5])) for row in guide.rows] == [
        share_bytes(group) for group in GROUPS
    ]


def test_start_page_has_the_lines_of_the_guide(guide, root):
    """So they are run here; what comes before them is the installation."""
    page = (root / "docs" / "start" / "tls.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    installation, rest = lines[:3], lines[3:]
    assert [line.split()[0] for line in installation] == ["apt-get", "make", "export"]
    configuration = installation[2].partition("=")[2]
    assert f"installs the configuration below as `{configuration}`" in guide.text
    assert [line.split()[:2] for line in rest[:3]] == [
        ["openssl", name] for name in ["req", "s_server", "s_client"]
    ]
    assert rest[3].startswith("curl ")
    told = [line for kind in guide.commands.values() for line in kind]
    assert [line for line in rest if line not in told] == []


def as_root(line):
    """Servers that root starts give their rights up; others are not asked to."""
    return line if os.geteuid() == 0 else ""


class Server:
    """Starts one of the guide's servers with a list of groups."""

    def __init__(self, guide, folder, need):
        self.guide, self.folder, self.need = guide, folder, need
        self.port = free_port()

    def write(self, name, groups):
        assert "x25519_bikel1:X25519" in self.guide.files[name]
        text = self.guide.files[name].replace("8443", str(self.port))
        (self.folder / name).write_text(text.replace("x25519_bikel1:X25519", groups))

    def command(self, name, groups):
        if name == "s_server":
            line = self.guide.commands["server"][0]
            words = shlex.split(line.replace("8443", str(self.port)))
            return [
                "env",
                "-C",
                self.folder,
                *[groups if word == "x25519_bikel1:X25519" else word for word in words],
            ]
        if name == "nginx":
            self.write("nginx.conf", groups)
            frame = NGINX_FRAME.format(user=as_root("user www-data;"))
            (self.folder / "frame.conf").write_text(frame)
            return [self.need("nginx"), "-p", self.folder, "-e", "stderr", "-c", "frame.conf"]
        if name == "haproxy":
            self.write("haproxy.cfg", groups)
            return [self.need("haproxy"), "-db", "-C", self.folder, "-f", "haproxy.cfg"]
        self.write("apache.conf", groups)
        frame = APACHE_FRAME.format(
            folder=self.folder,
            port=self.port,
            modules=APACHE_MODULES,
            user=as_root("User www-data\nGroup www-data"),
        )
        (self.folder / "httpd.conf").write_text(frame)
        return [self.need("apache2"), "-f", self.folder / "httpd.conf", "-DFOREGROUND"]

    def running(self, name, groups):
        return serving(
            self.command(name, groups),
            self.port,
            self.folder / "codekem.cnf",
            self.folder / f"{name}.log",
        )


@pytest.fixture
def need(monkeypatch):
    """need("nginx") returns the path of a server, which may be outside a user's PATH."""
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:/usr/sbin")

    return rooms.tool


@pytest.fixture
def server(guide, folder, need):
    return Server(guide, folder, need)


def clients(server, group, guide):
    """Runs the guide's clients, curl and s_client; returns what they print."""
    both = group if group == "X25519" else f"{group}:X25519"
    lines = [
        line.replace("8443", str(server.port))
        .replace("x25519_bikel1:X25519", both)
        .replace("x25519_bikel1", group)
        for line in guide.commands["client"]
    ]
    assert [line.split()[0] for line in lines] == ["curl", "openssl"]
    return [
        run(
            ["env", "-C", server.folder, *shlex.split(line)],
            server.folder / "codekem.cnf",
            check=False,
        ).stdout
        for line in lines
    ]


SERVERS = ["s_server", "nginx", "haproxy", "apache2"]


@pytest.mark.parametrize("name", SERVERS)
@pytest.mark.parametrize("group", GROUPS)
def test_servers_and_clients(name, group, server, guide):
    with server.running(name, f"{group}:X25519"):
        fetched, connected = clients(server, group, guide)
    handshake = Handshake(connected)
    assert handshake.new and handshake.verified and handshake.used(group), connected
    assert ("hello" in fetched) or (name == "s_server" and "s_server" in fetched), fetched


@pytest.mark.parametrize("name", SERVERS)
def test_classical_client_connects_to_every_server(name, server, guide):
    with server.running(name, "x25519_bikel1:X25519"):
        fetched, connected = clients(server, "X25519", guide)
    assert Handshake(connected).new and fetched, connected


def s_client(server, groups, *options, stdin=b""):
    done = run(
        [
            "openssl",
            "s_client",
            "-connect",
            f"127.0.0.1:{server.port}",
            "-groups",
            groups,
            "-CAfile",
            server.folder / "server.crt",
            "-msg",
            *options,
        ],
        server.folder / "codekem.cnf",
        check=False,
        stdin=stdin,
    )
    return Handshake(done.stdout)


@pytest.mark.parametrize("name", SERVERS)
def test_resumption_and_retry_with_every_server(name, server, tmp_path):
    session = tmp_path / "session.pem"
    with server.running(name, "x25519_bikel1:hqc3"):
        first = s_client(
            server, "hqc3", "-sess_out", session, "-ign_eof", stdin=b"GET / HTTP/1.0\r\n\r\n"
        )
        resumed = s_client(server, "hqc3", "-sess_in", session)
        retried = s_client(server, "P-256:x25519_bikel1")
    assert first.new and first.used("hqc3"), first.output
    assert resumed.reused and resumed.used("hqc3"), resumed.output
    assert retried.new and retried.used("x25519_bikel1"), retried.output
    assert retried.output.count(", ClientHello") == 2


@pytest.mark.parametrize("name", ["nginx", "haproxy", "apache2"])
def test_hundred_requests_at_once(name, server):
    """One curl with a hundred connections; each has its own, since the server's host differs."""
    with server.running(name, "x25519_bikel1:X25519"):
        words = []
        for i in range(100):
            host = f"host{i}.localhost"
            words += [
                "--connect-to",
                f"{host}:{server.port}:127.0.0.1:{server.port}",
                f"https://{host}:{server.port}/",
            ]
        done = run(
            [
                server.need("curl"),
                "-sS",
                "-k",
                "-Z",
                "--parallel-max",
                "100",
                "--tlsv1.3",
                "--curves",
                "x25519_bikel1",
                *words,
            ],
            server.folder / "codekem.cnf",
        )
    assert done.stdout.count("hello") == 100, done.stdout[-2000:]


def test_groups_for_programs_that_do_not_choose(server, guide):
    both = server.folder / "both.cnf"
    both.write_text((server.folder / "codekem.cnf").read_text() + guide.files["groups.cnf"])
    with server.running("s_server", "x25519_bikel1"):
        command = [
            "curl",
            "-sS",
            "--cacert",
            server.folder / "server.crt",
            f"https://localhost:{server.port}/",
        ]
        assert "s_server" in run(command, both).stdout
        assert (
            "handshake failure" in run(command, server.folder / "codekem.cnf", check=False).stdout
        )


def test_handshake_with_a_pool(server, guide):
    own = server.folder / "pooled.cnf"
    own.write_text((server.folder / "codekem.cnf").read_text() + guide.files["pool.cnf"])
    address = f"127.0.0.1:{server.port}"
    with server.running("s_server", "x25519_bikel1"):
        done = run(["openssl", "s_client", "-connect", address, "-groups", "x25519_bikel1"], own)
    assert "TLSv1.3" in done.stdout


def test_numbers_and_names_of_your_own(server, guide):
    own = server.folder / "own.cnf"
    own.write_text((server.folder / "codekem.cnf").read_text() + guide.files["numbers.cnf"])

    def connect(groups, configuration):
        return Handshake(
            run(
                [
                    "openssl",
                    "s_client",
                    "-connect",
                    f"127.0.0.1:{server.port}",
                    "-groups",
                    groups,
                    "-trace",
                ],
                configuration,
                check=False,
            ).stdout
        )

    with serving(
        server.command("s_server", "bike1:hqc1"), server.port, own, server.folder / "own.log"
    ):
        renamed = connect("bike1", own)
        assert renamed.new and renamed.used("bikel1") and "(65100)" in renamed.output
        assert not connect("bikel1", server.folder / "codekem.cnf").new
        assert connect("hqc1", server.folder / "codekem.cnf").new
    assert "Call to SSL_CONF_cmd" in connect("hqc5", own).output or not connect("hqc5", own).new


@pytest.mark.parametrize(
    "entry, complaint",
    [
        ("groups.bikel1 = 70000", "expected a code point from 1 to 65535"),
        ("groups.bikel1 = twelve", "expected a code point from 1 to 65535"),
        ("groups.bikel1 = 65075", "groups.bikel1 and groups.hqc1: both are 65075"),
        ("names.hqc1 = BIKEL1", "names.bikel1 and names.hqc1: both are bikel1"),
        ("names.hqc1 = a:b", "characters without any of"),
        ("oids.HQC-1 = water", "expected an object identifier in dotted numbers"),
    ],
)
def test_wrong_settings_say_what_is_wrong(entry, complaint, folder):
    """As the guide says: OpenSSL tells nobody why a provider that it activates does not load."""
    lines = (folder / "codekem.cnf").read_text().rstrip()
    path = folder / "wrong.cnf"
    path.write_text(f"{lines}\n{entry}\n")
    assert "codekem" not in run(["openssl", "list", "-providers"], path).stdout
    path.write_text(f"{lines.removesuffix('activate = 1')}\n{entry}\n")
    done = run(["openssl", "list", "-providers", "-provider", "codekem"], path, check=False)
    assert done.returncode != 0 and complaint in done.stdout, done.stdout
