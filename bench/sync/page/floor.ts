/** The floor of a durable save: one record in one strict transaction of plain IndexedDB. */
export interface Floor {
  /** Writes a record. Returns the milliseconds until it is on the disk. */
  write(record: object): Promise<number>
  close(): void
}

const STORE = 'records'

export async function openFloor(): Promise<Floor> {
  const request = indexedDB.open('bench-floor', 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE, { keyPath: 'key' }))
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the floor cannot be opened')))
  })
  return {
    write: (record) =>
      new Promise((resolve, reject) => {
        const start = performance.now()
        const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
        transaction.objectStore(STORE).put(record)
        transaction.addEventListener('complete', () => resolve(performance.now() - start))
        transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the floor was not written')))
      }),
    close: () => database.close(),
  }
}
