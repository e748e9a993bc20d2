// Stops what an older Node cannot run: `npm ci` installs Node 24 for the scripts, unless it may not run install scripts.
if (!process.features.typescript) {
  console.error(
    `This needs Node 22.18 or later, and runs on ${process.version}. Let npm install one for the scripts: npm ci --ignore-scripts=false. Or use a newer Node.`,
  );
  process.exit(1);
}
