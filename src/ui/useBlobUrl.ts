import { useEffect, useState } from 'react'

/**
 * The address of a blob in memory while it is drawn; null until it is there, and where there is none.
 *
 * @param read the same function as long as it means the same
 * @param id what is read; null for nothing
 */
export function useBlobUrl(read: ((id: string) => Promise<Blob | null>) | null, id: string | null): string | null {
  const [shown, setShown] = useState<{ readonly id: string; readonly address: string } | null>(null)
  useEffect(() => {
    if (read === null || id === null) return
    let address: string | null = null
    let isOver = false
    void read(id).then((blob) => {
      if (isOver || blob === null) return
      address = URL.createObjectURL(blob)
      setShown({ id, address })
    })
    return () => {
      isOver = true
      if (address !== null) URL.revokeObjectURL(address)
    }
  }, [read, id])
  return shown !== null && shown.id === id ? shown.address : null
}
