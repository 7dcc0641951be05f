# The app as a private server: docs/deployment.md, which also says how to move to a newer BASE.
ARG BASE=python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285
FROM ${BASE}

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

WORKDIR /app
RUN useradd --uid 10001 app && install --directory --owner app /var/lib/dpcore

COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --no-deps --only-binary :all: -r requirements.lock

COPY app.py server.py LICENSE README.md ./
COPY .streamlit/config.toml .streamlit/
COPY dpcore dpcore
COPY pages pages
COPY reproductions reproductions
COPY sample_data sample_data

USER app
# The ledger outlives the container only in a volume.
VOLUME /var/lib/dpcore
# HOME holds caches: deploy/compose.yaml lets nothing be written but /tmp and the volume.
ENV HOME=/tmp \
    DPCORE_MODE=private \
    DPCORE_LEDGER=/var/lib/dpcore/ledger.sqlite \
    DPCORE_STATE=/var/lib/dpcore/state \
    STREAMLIT_CLIENT_SHOW_ERROR_DETAILS=none \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_HEADLESS=true

EXPOSE 8501
# The image has no curl. Behind the gate of server.py this address stays open, and says "ok".
HEALTHCHECK --start-period=60s --interval=30s --timeout=5s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]

# The exec form: SIGTERM reaches Streamlit, which stops at once.
CMD ["python", "-m", "streamlit", "run", "server.py"]
