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
  // As PostgreSQL's own clients: a parameter counts more, one port is that of all hosts.
  expect(hostsOf("postgresql://u@a,b/db?port=5433")).toBe("a:5433, b:5433");
  expect(hostsOf("postgresql://u@a:1,b:2/db?port=,7")).toBe("a:1, b:7");
  expect(hostsOf("postgresql://u@%2Frun%2Fpg,b/db")).toBe("/run/pg:5432, b:5432");
  expect(hostsOf("postgresql:///db?host=::1,/run/pg,c&port=5,6,7")).toBe("::1:5, /run/pg:6, c:7");
});

test("the driver gets one host, with the rest of the address", () => {
  const url = readDatabaseUrl(
    "postgres://u:p%40@a:1,[::1]/db?sslmode=require&target_session_attrs=primary",
  );
  expect(url.hosts.map((host) => url.urlOf(host))).toEqual([
    "postgresql://u:p%40@a:1/db?sslmode=require",
    "postgresql://u:p%40@[::1]:5432/db?sslmode=require",
  ]);
  const named = readDatabaseUrl("postgresql://u@a?dbname=my%20db&sslmode=require");
  expect(named.database).toBe("my db");
  expect(named.urlOf(named.hosts[0])).toBe("postgresql://u@a:5432/my%20db?sslmode=require");
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
  ["postgres://u:hidden@a/db?port=hidden", "has a host or a port that cannot be read"],
  ["postgres://u:hidden@a/db?host=b&port=70000", "has a host or a port that cannot be read"],
  ["postgres://u:hidden@a,b,c/db?port=5432,5433", "names 2 ports for 3 hosts"],
  ["postgres://u:hidden@a, b/db", "has a host or a port that cannot be read"],
  ["postgres://u:hidden@%zz/db", "must be written as %2F"],
  ["postgres://u:hidden@/db?hostaddr=10.0.0.1", "has hostaddr, which is not read"],
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
