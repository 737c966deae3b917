/** Made by `build/guides.mjs` when the console is built. */
declare module 'virtual:guide-texts' {
  const texts: Record<string, () => Promise<{ default: string }>>;
  export default texts;
}

declare module 'virtual:guide-diagrams' {
  const diagrams: Record<string, () => Promise<{ default: string }>>;
  export default diagrams;
}

declare module 'virtual:guide-outlines' {
  const outlines: { guide: string; title: string; sections: { heading: string; words: string }[] }[];
  export default outlines;
}

declare module 'virtual:guide-index' {
  const sections: { name: string; pages: { guide: string; title: string; content: string }[] }[];
  export default sections;
}
