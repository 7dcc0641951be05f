# The app as a private server: docs/deployment.md.
FROM python:3.13-slim

WORKDIR /app
RUN useradd --create-home --uid 10001 app && install --directory --owner app /var/lib/dpcore

COPY requirements.txt constraints.txt ./
RUN pip install --no-cache-dir -r requirements.txt -c constraints.txt

COPY app.py server.py LICENSE README.md ./
COPY .streamlit/config.toml .streamlit/
COPY dpcore dpcore
COPY pages pages
COPY sample_data sample_data

USER app
# The ledger outlives the container only in a volume.
VOLUME /var/lib/dpcore
ENV DPCORE_MODE=private \
    DPCORE_LEDGER=/var/lib/dpcore/ledger.sqlite \
    PYTHONDONTWRITEBYTECODE=1 \
    STREAMLIT_CLIENT_SHOW_ERROR_DETAILS=none \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_HEADLESS=true \
    STREAMLIT_SERVER_FILE_WATCHER_TYPE=none

EXPOSE 8501
CMD ["python", "-m", "streamlit", "run", "server.py"]
