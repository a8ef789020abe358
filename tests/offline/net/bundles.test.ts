import { expect, test } from 'vitest'
import { readBundles } from '#offline/net/request.ts'

/** An answer whose lines a test sends one by one. */
function answer() {
  let send: (line: number) => void = () => undefined
  let end: () => void = () => undefined
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      send = (line) => controller.enqueue(new TextEncoder().encode(`${line}\n`))
      end = () => controller.close()
    },
  })
  return { send, end, read: { response: new Response(body), stop: () => undefined } }
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, millis)
  })
}

async function sizes(bundles: AsyncGenerator<readonly unknown[]>): Promise<readonly number[]> {
  const all: number[] = []
  for await (const bundle of bundles) all.push(bundle.length)
  return all
}

test('answers are gathered up to a number, and what is left comes with the end of the stream', async () => {
  const { send, end, read } = answer()
  const reading = sizes(readBundles(read, 5000, { most: 4, forMs: 60_000 }))
  for (let line = 0; line < 10; line += 1) send(line)
  end()
  expect(await reading).toEqual([4, 4, 2])
})

test('answers that come slowly wait no longer than they may', async () => {
  const { send, end, read } = answer()
  const bundles = readBundles(read, 5000, { most: 100, forMs: 50 })
  const first = bundles.next()
  send(1)
  send(2)
  expect((await first).value).toMatchObject([{ value: 1 }, { value: 2 }])
  // Worked on for longer than lines may wait: what came meanwhile is there at once.
  send(3)
  await pause(80)
  send(4)
  await pause(80)
  expect((await bundles.next()).value).toHaveLength(2)
  end()
  expect((await bundles.next()).done).toBe(true)
})
