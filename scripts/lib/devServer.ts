import { main } from '#server/main.ts'

/** The server alone, without a build of the app: `npm run dev` has Vite in front of it. */
await main(process.argv.slice(2), process.env)
