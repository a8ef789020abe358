import { buildWeb } from '#scripts/lib/webBuild.ts'

/** `npm run build`: the app into `dist/`. */
process.exitCode = (await buildWeb()) ? 0 : 1
