import { describe, expect, it } from 'vitest'
import { MAX_PIXELS, cleanFileName, inspectFile } from '#core/files/inspect.ts'
import { findReference, referencesIn } from '#core/files/reference.ts'
import { bmp, jpeg, pdf, png } from '#tests/core/files/samples.ts'

const text = (content: string): Uint8Array => new TextEncoder().encode(content)

describe('what a file is', () => {
  it('is read from its beginning, and its figures with it', () => {
    expect(inspectFile('舌象.PNG', png(640, 480))).toEqual({
      ok: true,
      type: 'image/png',
      size: { width: 640, height: 480 },
    })
    expect(inspectFile('IMG_1.JPeG', jpeg(4000, 3000))).toEqual({
      ok: true,
      type: 'image/jpeg',
      size: { width: 4000, height: 3000 },
    })
    expect(inspectFile('scan.bmp', bmp(10, -20))).toEqual({
      ok: true,
      type: 'image/bmp',
      size: { width: 10, height: 20 },
    })
    expect(inspectFile('report.pdf', pdf())).toEqual({ ok: true, type: 'application/pdf', size: null })
    expect(inspectFile('values.csv', text('\uFEFFa,b\n1,2'))).toEqual({ ok: true, type: 'text/csv', size: null })
  })

  it('finds the figures of a photograph behind the preview that the camera put before them', () => {
    expect(inspectFile('a.jpg', jpeg(4000, 3000, 60_000))).toMatchObject({
      ok: true,
      size: { width: 4000, height: 3000 },
    })
  })

  it('is refused where name and beginning do not agree', () => {
    expect(inspectFile('photo.jpg', png(1, 1))).toEqual({ ok: false, problem: 'type_forged' })
    expect(inspectFile('photo.png', text('<html><script>1</script>'))).toEqual({ ok: false, problem: 'type_forged' })
    expect(inspectFile('photo.jpg', jpeg(10, 10).subarray(0, 6))).toEqual({ ok: false, problem: 'type_forged' })
    expect(inspectFile('notes.txt', text(' \n<svg onload=1>'))).toEqual({ ok: false, problem: 'type_forged' })
    expect(inspectFile('notes.csv', new Uint8Array([65, 0, 66]))).toEqual({ ok: false, problem: 'type_forged' })
    expect(inspectFile('protocol.docx', text('PK'))).toEqual({ ok: false, problem: 'type_forged' })
  })

  it('is refused where a browser would run it, or nobody knows it', () => {
    for (const name of ['a.svg', 'a.html', 'a.htm', 'a.xml', 'a.js', 'a', '.png', 'a.png.exe']) {
      expect(inspectFile(name, png(1, 1))).toEqual({ ok: false, problem: 'type_not_allowed' })
    }
    expect(inspectFile('a.png', new Uint8Array())).toEqual({ ok: false, problem: 'empty' })
  })

  it('is refused where a few bytes claim more pixels than a memory holds, in every kind of image', () => {
    const side = Math.ceil(Math.sqrt(MAX_PIXELS)) + 1
    for (const [name, head] of [
      ['a.png', png(side, side)],
      ['a.jpg', jpeg(side, side)],
      ['a.bmp', bmp(side, side)],
    ] as const) {
      expect(inspectFile(name, head)).toEqual({ ok: false, problem: 'too_many_pixels' })
    }
  })
})

describe('the name of a file', () => {
  it('loses folders, and what hides or turns its ending', () => {
    expect(cleanFileName('..\\..\\etc/passwd.png')).toBe('passwd.png')
    expect(cleanFileName('a\u202Egnp.exe\u0000.png')).toBe('agnp.exe.png')
    expect(cleanFileName(' ...  ')).toBe('file')
    expect(cleanFileName('<舌>:1?.JPG')).toBe('_舌__1_.JPG')
    expect(cleanFileName(`${'舌'.repeat(500)}.jpeg`).length).toBeLessThanOrEqual(121)
    expect(cleanFileName(`${'x'.repeat(500)}.jpeg`)).toMatch(/\.jpeg$/)
  })
})

describe('references', () => {
  const photo = {
    id: '0196aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa',
    name: 'a.jpg',
    type: 'image/jpeg',
    size: 3,
    hash: 'a'.repeat(64),
  }

  it('are those of ours: what stock front ends store stays, and is none', () => {
    expect(referencesIn(['/u/1.png', { label: 'a', value: '/u/2.png' }, photo])).toEqual([photo])
    expect(referencesIn('/u/1.png')).toEqual([])
    expect(referencesIn(null)).toEqual([])
  })

  it('are found wherever they stand in what was entered', () => {
    expect(findReference({ items: [{ to: { value: [photo] } }] }, photo.id)).toEqual(photo)
    expect(findReference({ items: [{ to: { value: [{ ...photo, hash: 'none' }] } }] }, photo.id)).toBeNull()
  })
})
