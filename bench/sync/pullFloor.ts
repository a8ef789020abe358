import type { Page, Request } from '@playwright/test'

/**
 * The floor of a first download: a bare worker that reads the same answer of the same server, parses each line, and
 * keeps nothing.
 */
export interface PullFloor {
  /** From the request until the last line is parsed. */
  readonly millis: number
  /** The part of it that parsing took. */
  readonly parsing: number
  readonly lines: number
  readonly megabytes: number
}

/** The app's request when it began to download a scope: the same request again gets the same rows. */
export interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Waits for the app's own first request for a scope. */
export async function askedFirst(page: Page, scope: string): Promise<Asked> {
  const isFirst = (request: Request): boolean => {
    const { pathname, searchParams } = new URL(request.url())
    return pathname.endsWith('/edc/sync/pull') && searchParams.get('scope') === scope
  }
  const request = await page.context().waitForEvent('request', { predicate: isFirst })
  // The browser sets these headers itself, and does not let scripts set them.
  const own = Object.entries(await request.allHeaders()).filter(
    ([name]) => !/^(:|sec-|host$|cookie$|connection$|user-agent$|referer$|accept-)/.test(name),
  )
  return { url: request.url(), headers: Object.fromEntries(own) }
}

/** Sends the request again in a worker of a page of its own, in the same browser. */
export async function pullFloor(page: Page, asked: Asked): Promise<PullFloor> {
  const bare = await page.context().newPage()
  try {
    // The app's own policy allows no worker made from text.
    await (await page.context().newCDPSession(bare)).send('Page.setBypassCSP', { enabled: true })
    await bare.goto(new URL('/api/edc/health', asked.url).href)
    return await bare.evaluate(inWorker, asked)
  } finally {
    await bare.close()
  }
}

/** In the page: all in one function, because its text is sent to the browser. */
function inWorker(asked: Asked): Promise<PullFloor> {
  const work = async ({ url, headers }: Asked): Promise<PullFloor> => {
    const start = performance.now()
    const { ok, status, body } = await fetch(url, { headers })
    if (!ok || body === null) throw new Error(`answered with ${status}`)
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let [rest, lines, parsing, length] = ['', 0, 0, 0]
    for (let { done, value = '' } = await reader.read(); !done; { done, value = '' } = await reader.read()) {
      const before = performance.now()
      length += value.length
      const whole = (rest + value).split('\n')
      rest = whole.pop() ?? ''
      for (const line of whole) {
        JSON.parse(line)
        lines += 1
      }
      parsing += performance.now() - before
    }
    return { millis: performance.now() - start, parsing, lines, megabytes: length / 1e6 }
  }
  const code = `onmessage = ({ data }) => (${work.toString()})(data).then(postMessage, (error) => setTimeout(() => { throw error }))`
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data as PullFloor))
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
    worker.postMessage(asked)
  })
}
