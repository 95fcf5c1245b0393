# The server, with what several nodes need: `docker build -t macaz .`; see docs/hosting.md.

FROM python:3.13-slim AS build
WORKDIR /macaz
COPY requirements/app.txt requirements/node.txt requirements/nodes.txt requirements/
# Here: the build backend, and Node.js for the page. In /opt/macaz: what the server needs. Most of
# it is the same, so the second takes it from pip's cache, which is not in the final image.
# hadolint ignore=DL3042
RUN pip install --no-deps --require-hashes -r requirements/app.txt -r requirements/node.txt \
    && python -m venv --without-pip /opt/macaz \
    && pip --python /opt/macaz/bin/python install --no-deps --require-hashes \
        -r requirements/nodes.txt
COPY . .
# hadolint ignore=DL3042
RUN hatchling build -t wheel -d dist \
    && pip --python /opt/macaz/bin/python install --no-deps dist/*.whl

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/macaz macaz \
    && install -d -o macaz -g macaz -m 700 /var/lib/macaz
COPY --from=build /opt/macaz /opt/macaz
ENV PATH=/opt/macaz/bin:$PATH \
    MACAZ_HOST=0.0.0.0 \
    MACAZ_PORT=8124 \
    MACAZ_DATABASE=sqlite:////var/lib/macaz/macaz.db \
    MACAZ_LOG_FORMAT=json \
    MACAZ_CACHE_DIR=/tmp/macaz
USER 10001
VOLUME /var/lib/macaz
EXPOSE 8124
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"MACAZ_PORT\"]}/healthz', timeout=4)"]
ENTRYPOINT ["macaz"]
CMD ["serve"]
