/**
 * Remembers words that few things need again and again, so that each is looked up once: in a long list, the looking up
 * would take more than the drawing.
 *
 * @param keyOf what the words depend on; few in number
 */
export function rememberWords<Args extends readonly unknown[]>(
  say: (...args: Args) => string,
  keyOf: (...args: Args) => string,
): (...args: Args) => string {
  const said = new Map<string, string>()
  return (...args) => {
    const key = keyOf(...args)
    const words = said.get(key) ?? say(...args)
    said.set(key, words)
    return words
  }
}
