/** Hands a file to the browser's own download. */
export function downloadFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then; otherwise the address would keep the file in memory until the tab is closed.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
