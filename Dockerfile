# The server, built and packed by the scripts that CI runs.
FROM swift:6.3-bookworm AS build
WORKDIR /source
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/*
# First what changes seldom, so that its layer is kept.
COPY tools/install-packages tools/install-packages
RUN tools/install-packages build && rm -rf /var/lib/apt/lists/*
COPY . .
RUN tools/build-static basket-server && DESTDIR=/packed PREFIX=/usr tools/install basket-server

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates curl libavahi-client3 libavahi-common3 libgnutls30 libmicrohttpd12 \
        libsqlite3-0 libssl3 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin basket \
    && install -d -o basket -g basket -m 0700 /data
COPY --from=build /packed/usr/bin/basket-server /usr/bin/basket-server
COPY --from=build /source/LICENSE /usr/share/doc/basket/LICENSE

USER basket
VOLUME /data
EXPOSE 8443
ENV BASKET_DATA=/data BASKET_LISTEN=0.0.0.0:8443
# -k: the certificate may be the server's own; what is asked is whether it answers at all.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["curl", "--fail", "--silent", "--show-error", "--insecure", "--output", "/dev/null", "https://127.0.0.1:8443/healthz"]
# SIGTERM lets it finish what is under way.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/basket-server"]
CMD ["serve"]
