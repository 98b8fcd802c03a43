# qa-pay in a container: docker build --tag qa-pay . && docker run --publish 127.0.0.1:4600:4600 qa-pay
# docs/guides/containers.md says how to use it.
FROM node:24-alpine AS package
WORKDIR /source
COPY package.json package-lock.json ./
COPY scripts/optional scripts/optional
# Nothing of what is packed needs the install scripts of packages.
RUN npm ci --ignore-scripts
COPY . .
RUN npm pack --pack-destination /

FROM node:24-alpine
# This Node has its own SQLite and a container no keychain, so nothing native is kept.
RUN --mount=from=package,target=/package \
    npm install --global --ignore-scripts --no-audit --no-fund /package/qa-pay-*.tgz \
 && cd /usr/local/lib/node_modules/qa-pay \
 && rm -rf node_modules/@napi-rs dist/sqlite \
 && npm cache clean --force \
 && install -d -o node -g node /data
USER node
# Commands that run in the container find the server in this folder: docker exec <container> qa-pay charges create …
WORKDIR /data
VOLUME /data
EXPOSE 4600
# The address behind port mappings. It opens the console to nobody: --console does, for everybody who reaches the port.
ENTRYPOINT ["qa-pay"]
CMD ["serve", "--host", "0.0.0.0"]
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=5 \
  CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:4600/openapi.json"]
