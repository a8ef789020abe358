import path from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { root } from '#scripts/lib/run.ts'

/**
 * `npm run gallery`: a page with every frame of src/ui, and some of src/frame, in each of its states, in both languages
 * and all themes, which shows edits at once. Use the address that it prints. It needs no server and no build, and is in
 * no build. A frame is a file in scripts/gallery/frames (frame.ts says what is in it).
 */
const gallery = await createServer({
  configFile: false,
  root: path.join(root, 'scripts/gallery/page'),
  cacheDir: path.join(root, 'node_modules/.vite-gallery'),
  plugins: [react()],
  server: { fs: { allow: [root] } },
})
await gallery.listen()
gallery.printUrls()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void gallery.close())
