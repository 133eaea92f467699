# docker build -t sluice . && docker run --rm sluice run spmv --gpu cart28 --with cart
FROM debian:12-slim AS build
WORKDIR /src
COPY . .
RUN apt-get update -qq && scripts/setup opencl && scripts/package deb "$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)"

FROM debian:12-slim
COPY --from=build /src/build-package/*.deb /tmp/
RUN apt-get update -qq && apt-get install -y -qq /tmp/*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["sluice"]
