import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root, run, runTool, seconds } from '#scripts/lib/run.ts'

test('a command that fails, or cannot even be started, is an outcome that is not ok', async () => {
  expect(await run(process.execPath, ['-e', 'console.log(1)'], { capture: true })).toMatchObject({
    ok: true,
    output: '1\n',
  })
  expect(await run(process.execPath, ['-e', 'process.exit(3)'], { capture: true })).toMatchObject({
    ok: false,
    output: '',
  })
  expect(await run('/nowhere/at/all', [], { capture: true })).toMatchObject({
    ok: false,
    output: expect.stringContaining('ENOENT') as string,
  })
})

test('the tool of a package runs under this Node', async () => {
  expect(await runTool('typescript', ['--version'], { capture: true })).toMatchObject({ ok: true })
  expect(await runTool('oxlint', ['--version'], { capture: true })).toMatchObject({ ok: true })
})

test('signals are left to the caller once nothing runs', async () => {
  const before = process.listenerCount('SIGTERM')
  await run(process.execPath, ['-e', ''], { capture: true })
  expect(process.listenerCount('SIGTERM')).toBe(before)
})

test('a script that is stopped takes its commands with it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'zl-run-'))
  try {
    const file = path.join(folder, 'script.ts')
    const command =
      "process.on('SIGTERM', () => { console.log('command ended'); process.exit(0) }); setInterval(() => {}, 1000); console.log('up')"
    await writeFile(
      file,
      `import { run } from ${JSON.stringify(path.join(root, 'scripts/lib/run.ts'))}\nawait run(process.execPath, ['-e', ${JSON.stringify(command)}])\n`,
    )
    const script = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    script.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
      if (output === 'up\n') script.kill('SIGTERM')
    })
    const code = await new Promise((resolve) => script.once('close', resolve))
    expect({ code, output }).toEqual({ code: 143, output: 'up\ncommand ended\n' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('durations are said the way people say them', () => {
  expect([seconds(420), seconds(125_000)]).toEqual(['0.4 s', '2 min 5 s'])
})
