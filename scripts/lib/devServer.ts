import { main } from '#server/main.ts'

/** Only the server, without a build of the app: `npm run dev` puts Vite in front of it. */
await main(process.argv.slice(2), process.env)
