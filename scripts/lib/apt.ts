import { existsSync } from 'node:fs'
import { run, seconds } from '#scripts/lib/run.ts'

/**
 * Installs Debian packages where that is allowed: as root, or where sudo asks no password.
 *
 * @returns whether they were installed. Errors are on the terminal.
 */
export async function installDebianPackages(names: readonly string[]): Promise<boolean> {
  if (!existsSync('/usr/bin/apt-get')) return false
  const prefix = await privilege()
  if (prefix === undefined) return false
  console.log(`Installing Debian packages: ${names.join(', ')} …`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const apt = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=300']
  const [command = 'env', ...args] = apt
  // Package lists may be old or absent; where they cannot be updated the install may still succeed.
  const update = await run(command, [...args, 'update'], { env, capture: true })
  const install = await run(command, [...args, '-y', '--no-install-recommends', 'install', ...names], {
    env,
    capture: true,
  })
  if (!install.ok) process.stderr.write(update.ok ? install.output : update.output + install.output)
  else console.log(`  done in ${seconds(update.millis + install.millis)}`)
  return install.ok
}

/** The command prefix for root rights: empty as root, `sudo -n` where it works, undefined where neither is possible. */
async function privilege(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return []
  const sudo = await run('sudo', ['-n', 'true'], { capture: true })
  return sudo.ok ? ['sudo', '-n'] : undefined
}
