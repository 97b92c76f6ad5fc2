# Two stages: the first one builds, the second one holds only what runs.

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json vite.config.ts ./
COPY scripts ./scripts
COPY src ./src
# The commit that the service tells; the history is not in the image.
ARG SOURCE_COMMIT=""
RUN SOURCE_COMMIT="$SOURCE_COMMIT" npm run build
# Not empty: with the library that SERVICE_SPARQL_URL needs, which brings 580 packages.
ARG WITH_SPARQL_ENGINE=""
# From here on without development dependencies.
RUN npm ci --omit=dev --ignore-scripts
RUN if [ -n "$WITH_SPARQL_ENGINE" ]; then \
    npm install --no-save --save-prod --omit=dev --ignore-scripts @comunica/query-sparql@5.4.1; \
  fi

FROM node:22-bookworm-slim
# Gives back what is free, which glibc keeps in pieces; what is said to malloc below is for machines without it.
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
