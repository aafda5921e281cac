/** The settings as the launch check judges them. */
import type { LaunchSettings } from '../../launch/settings.ts'
import type { Config } from '../config.ts'
import { temporaryDisk } from './temporary-disk.ts'

export function launchSettings(config: Config): LaunchSettings {
  return { ...config, temporaryStore: config.databaseUrl === null ? temporaryDisk(config.dataDir) : null }
}
