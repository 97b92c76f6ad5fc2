/** Saves bytes as a file on the device. */
export function saveBlob(bytes: Blob, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}
