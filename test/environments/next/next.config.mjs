// The app ends here: Next would else take the folder of the outermost lock file.
export default { turbopack: { root: import.meta.dirname }, cacheComponents: true };
