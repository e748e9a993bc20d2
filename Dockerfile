# The mock explorer in a container: docker build -t mrc-explorer . && docker run --rm -p 1717:1717 mrc-explorer
FROM node:24-slim
ARG VERSION=latest
RUN npm install --global mrc-explorer@${VERSION}
USER node
EXPOSE 1717
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:1717/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["mrc-explorer", "serve", "--host", "0.0.0.0", "--allowed-host", "explorer", "--admin"]
