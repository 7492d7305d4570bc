# syntax=docker/dockerfile:1
# Named by its digest, the same source gives the same image.
ARG BASE=node:20-bookworm-slim
FROM $BASE AS build
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
COPY server/absent server/absent
RUN npm ci --omit=dev
COPY tsconfig.json next.config.mjs postcss.config.mjs prisma.config.ts instrumentation.ts instrumentation-client.ts proxy.ts ./
COPY prisma prisma
COPY messages messages
COPY public public
COPY server server
COPY cli cli
COPY lib lib
COPY components components
COPY app app
ARG RELAY_COMMIT=
ARG SOURCE_DATE_EPOCH=
ENV RELAY_COMMIT=$RELAY_COMMIT SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH
RUN node server/build.mjs
# Removes what only the build needs: of lib, all but the database's SQL; packages, and the embedded
# PostgreSQL, since the image uses an external one.
RUN node server/prepare/prune.mjs

FROM $BASE
RUN apt-get update && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* /var/cache/ldconfig/aux-cache \
  && mkdir /data && chown node:node /data
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 RELAY_DATA_DIR=/data
# Returns the memory of large requests to the system.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=1048576
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/.next .next
COPY --from=build /app/dist dist
COPY --from=build /app/prisma prisma
COPY --from=build /app/lib lib
COPY --from=build /app/public public
COPY --from=build /app/messages messages
COPY --from=build /app/package.json /app/next.config.mjs ./
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=32", "dist/server.mjs"]
