"use client";

import dynamic from "next/dynamic";

/** The frame of the signed-in pages, for a layout that visitors see without it: they load none of it. */
export const SignedInFrame = dynamic(() =>
  import("./dashboard-frame").then((module) => module.DashboardFrame),
);
