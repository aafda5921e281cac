/** Fills in the names that a text leaves open until it's shown, such as {percent}. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/{(\w+)}/g, (raw, name: string) => `${values[name] ?? raw}`)
