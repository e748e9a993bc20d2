// The layout every Next app must have. With `cacheComponents`, a page that awaits its parameters
// needs a Suspense boundary above it.
import { Suspense } from "react";

export default function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Suspense>{children}</Suspense>
      </body>
    </html>
  );
}
