"use client";

import { Pause, Play } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { stopFilms } from "./films";

/** Stops all films of the page, and lets them play again. */
export function FilmsSwitch({ className }: { className?: string }) {
  const t = useTranslations("ui");
  const [isStopped, setStopped] = useState(false);
  useEffect(() => {
    stopFilms(isStopped);
    return () => stopFilms(false);
  }, [isStopped]);
  return (
    <Button
      look="quiet"
      size="small"
      className={cn("motion-reduce:hidden", className)}
      onClick={() => setStopped(!isStopped)}
    >
      {isStopped ? <Play aria-hidden /> : <Pause aria-hidden />}
      {t(isStopped ? "films.play" : "films.stop")}
    </Button>
  );
}
