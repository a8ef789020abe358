/** What an app without encryption, network and framework would need: runs in a page of its own. */

/** In the page: stores as many plain patient records as there are patients. */
export async function fillFloor(patients: number): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('floor', 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore('patients', { keyPath: 'id' }))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the floor cannot be opened')))
  })
  const transaction = database.transaction('patients', 'readwrite')
  const store = transaction.objectStore('patients')
  for (let at = 0; at < patients; at += 1) {
    store.put({
      id: crypto.randomUUID(),
      no: `BJ01-${String(at + 1).padStart(4, '0')}`,
      initials: 'ZS',
      sex: 'F',
      enrolledOn: '2026-03-01',
      center: '北京一院',
    })
  }
  await new Promise((resolve) => transaction.addEventListener('complete', resolve))
  database.close()
}

/** In the page: reads them, sorts them, draws the first forty. Returns the ms until a frame shows them. */
export async function drawFloor(): Promise<number> {
  const start = performance.now()
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('floor', 1)
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the floor cannot be opened')))
  })
  const rows = await new Promise<readonly Readonly<Record<string, string>>[]>((resolve) => {
    const request = database.transaction('patients').objectStore('patients').getAll()
    request.addEventListener('success', () => resolve(request.result as readonly Readonly<Record<string, string>>[]))
  })
  database.close()
  const table = document.createElement('table')
  for (const row of rows.toSorted((a, b) => ((a['no'] ?? '') < (b['no'] ?? '') ? -1 : 1)).slice(0, 40)) {
    const line = table.insertRow()
    for (const column of ['no', 'initials', 'sex', 'enrolledOn', 'center'])
      line.insertCell().textContent = row[column] ?? ''
  }
  document.body.replaceChildren(table)
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start))))
}
