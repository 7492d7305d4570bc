import { expect, test } from "vitest";
import { placesOf, readDatabaseUrl } from "./database-url";

const hostsOf = (url: string) => placesOf(readDatabaseUrl(url));

test("an address names one host or several, each with its port", () => {
  expect(hostsOf("postgres://u:p@a/db")).toBe("a:5432");
  expect(hostsOf("postgresql://u:p@a:1,b,[::1]:3/db?target_session_attrs=read-write")).toBe(
    "a:1, b:5432, ::1:3",
  );
  expect(hostsOf("postgresql:///db?host=a,b&port=5,6")).toBe("a:5, b:6");
  expect(hostsOf("postgresql://u@127.0.0.1:5433/db?host=%2Frun%2Fpg")).toBe("/run/pg:5433");
  expect(hostsOf("postgresql:///db?host=/run/postgresql")).toBe("/run/postgresql:5432");
});

test("the driver gets one host, with the rest of the address", () => {
  const url = readDatabaseUrl(
    "postgres://u:p%40@a:1,[::1]/db?sslmode=require&target_session_attrs=primary",
  );
  expect(url.hosts.map((host) => url.urlOf(host))).toEqual([
    "postgresql://u:p%40@a:1/db?sslmode=require",
    "postgresql://u:p%40@[::1]:5432/db?sslmode=require",
  ]);
  const socket = readDatabaseUrl("postgresql://u@/db?host=/run/pg");
  expect(socket.urlOf(socket.hosts[0])).toBe("postgresql://u@localhost:5432/db?host=%2Frun%2Fpg");
});

test.each([
  ["mysql://u:hidden@a/db", "must be a URL that starts with postgres://"],
  ["postgres://u:hid/den@a/db", "must be written as %2F"],
  ["postgres://u:hid@den@a/db", "must be written as %2F"],
  ["postgres://u:hid#den@a/db", "must be written as %2F"],
  ["postgres://u:hid%den@a/db", "must be written as %2F"],
  ["postgres://u:hid?den@a/db", "must be written as %2F"],
  ["postgres://u:hidden@a:70000/db", "has a host or a port that cannot be read"],
  ["postgres://u:hidden", "has a host or a port that cannot be read"],
  [
    "postgres://u:hidden@a/db?target_session_attrs=standby",
    "has a target_session_attrs that is not one of",
  ],
])(
  "an address that cannot be read is refused with the reason and nothing secret: %s",
  (url, reason) => {
    const read = () => readDatabaseUrl(url);
    expect(read).toThrow(reason);
    expect(read).not.toThrow(/hid|den/);
  },
);
