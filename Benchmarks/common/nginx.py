"""nginx, with Debian's usual settings, in front of a folder."""

from pathlib import Path

from processes import Daemon, answers, free_port

CONFIGURATION = """
daemon off;
user {user};
worker_processes auto;
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log;
events {{ worker_connections 768; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
    fastcgi_temp_path {folder}/nginx-fastcgi;
    uwsgi_temp_path {folder}/nginx-uwsgi;
    scgi_temp_path {folder}/nginx-scgi;
    server {{
        listen 127.0.0.1:{plain};
        listen 127.0.0.1:{tls} ssl;
        ssl_certificate {certificate};
        ssl_certificate_key {key};
        root {root};
    }}
}}
"""


class Nginx:
    """Runs until the end of its `with`, on one port plain and on another with TLS."""

    def __init__(self, folder: Path, root: Path, certificate: Path, key: Path) -> None:
        self.plain_port, self.tls_port = free_port(), free_port()
        configuration = folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(
            # Its workers must be able to read what belongs to us.
            user=configuration.parent.owner(), folder=folder, root=root, certificate=certificate,
            key=key, plain=self.plain_port, tls=self.tls_port,
        ))
        self._daemon = Daemon(["nginx", "-c", str(configuration), "-p", str(folder)], folder / "nginx.log")
        try:
            self._daemon.wait_for(lambda: answers(self.tls_port))
        except BaseException:
            self._daemon.stop()
            raise

    def __enter__(self) -> "Nginx":
        return self

    def __exit__(self, *_: object) -> None:
        self._daemon.stop()
