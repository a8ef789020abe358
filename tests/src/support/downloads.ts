import { vi } from 'vitest'

/** Files that are handed to the browser's download from now on, until the end of the test. */
export function watchDownloads(): readonly { readonly name: string; readonly file: Blob }[] {
  const files = new Map<string, Blob>()
  const taken: { name: string; file: Blob }[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    const address = `blob:${String(files.size)}`
    files.set(address, file as Blob)
    return address
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    const file = files.get(this.href)
    if (file !== undefined) taken.push({ name: this.download, file })
  })
  return taken
}
