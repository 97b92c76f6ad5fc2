# The first stage builds the program; the second one has only the files that it needs to run.

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json vite.config.ts ./
COPY scripts ./scripts
COPY src ./src
# The commit that the service names as its version. The image has no history to read it from.
ARG SOURCE_COMMIT=""
RUN SOURCE_COMMIT="$SOURCE_COMMIT" npm run build
# If it is not empty, the image has the library that SERVICE_SPARQL_URL needs: 580 more packages.
ARG WITH_SPARQL_ENGINE=""
# Removes the development dependencies.
RUN npm ci --omit=dev --ignore-scripts
RUN if [ -n "$WITH_SPARQL_ENGINE" ]; then \
    npm install --no-save --save-prod --omit=dev --ignore-scripts @comunica/query-sparql@5.4.1; \
  fi

FROM node:22-bookworm-slim
# jemalloc returns free memory to the system; glibc keeps it in fragments. The settings of malloc below apply where
# jemalloc cannot be loaded.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libjemalloc2 \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production \
    LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF=background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0,narenas:2 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    MALLOC_TRIM_THRESHOLD_=1048576 \
    NODE_OPTIONS=--max-semi-space-size=2 \
    SERVICE_HOST=0.0.0.0 \
    SERVICE_DATA_DIR=/var/lib/parapet
WORKDIR /app
RUN install -d -o node -g node -m 0750 /var/lib/parapet
COPY LICENSE NOTICE package.json ./
COPY data ./data
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
VOLUME /var/lib/parapet
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.SERVICE_PORT || 3000) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
