import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#scripts/lib/run.ts'
import { IPADS, startPictures } from '#scripts/lib/startPictures.ts'

/** What an iPad shows while the installed app starts. */

const FOLDER = path.join(root, 'public', 'splash')

/** Width and height of a PNG, px: the first two numbers of its header. */
function sizeOf(file: string): readonly [number, number] {
  const bytes = readFileSync(path.join(FOLDER, file))
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

test('each screen of an iPad has its picture upright and across, of exactly its pixels, and no picture is for none', () => {
  const wanted = IPADS.flatMap(([width, height]) => [
    [`${width}x${height}.png`, width * 2, height * 2] as const,
    [`${height}x${width}.png`, height * 2, width * 2] as const,
  ])
  expect(readdirSync(FOLDER).toSorted()).toEqual(wanted.map(([file]) => file).toSorted())
  expect(startPictures().map(({ file }) => [file, ...sizeOf(file)])).toEqual(wanted)
})
