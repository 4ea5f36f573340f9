import * as z from 'zod';
import { DEFAULT_LIMITS, type SensingLimits } from '../sensing/limits.ts';
import { LEVEL, LEVEL_RULE } from '../transports/topics.ts';

const level = (what: string) => z.string().regex(LEVEL, `is no name for a ${what}: use ${LEVEL_RULE}`);
const port = z.int().min(0).max(65_535);
const file = z.string().min(1);

/** Limits of the detector by name; what each is for stands with `SensingLimits`. */
const sensing = z
  .strictObject(
    Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, limit(name).optional()])) as {
      [Name in keyof SensingLimits]: z.ZodOptional<z.ZodNumber>;
    },
  )
  .prefault({});

/** Shares and chances lie between 0 and 1; everything else is a positive amount. */
function limit(name: string): z.ZodNumber {
  if (/(Share|Yes|No|Sure)$/.test(name)) return z.number().min(0).max(1);
  return z
    .number()
    .positive()
    .max(name.endsWith('Ms') ? 600_000 : 1000);
}

export const SENSOR_LAYOUTS = ['axis', 'collector', 'collector+offset'] as const;

const link = z.looseObject({
  transport: z.string().min(1).describe('serial, mqtt, replay, or another part of this host'),
  side: z
    .enum(['A', 'B', 'both'])
    .optional()
    .describe('Whose side the board on this link serves, for boards that cannot say it themselves'),
});

const table = z.strictObject({
  layout: z
    .string()
    .min(1)
    .default('fixed-12')
    .describe('fixed-12, or the path of a layout file (it must hold a "/" or end in .yaml)'),
  sensors: z.enum(SENSOR_LAYOUTS).optional().describe('How the hall sensors of a tile are placed'),
  ruleset: z.string().min(1).default('bakugan'),
  rulesetOptions: z.record(z.string(), z.json()).default({}),
  calibration: file.optional().describe('File that "bakucore calibrate" writes'),
  bestOf: z.literal([1, 3]).optional().describe('Games of a match, 1 or 3; 1 by default'),
  loserChooses: z
    .boolean()
    .optional()
    .describe('true: whoever lost a game says who begins the next one of the match; by default the lot does'),
  autoPassMs: z
    .int()
    .min(250)
    .max(600_000)
    .optional()
    .describe('A player who does nothing for so long in a priority window passes; people pass by default'),
  ledBudgetMa: z
    .int()
    .min(50)
    .max(3000)
    .default(1000)
    .describe('Most current that the LEDs of one board may draw'),
  links: z.record(level('link'), link).describe('Ways in to this table, by a name of your choice'),
  sensing,
});

/** Everything that is not the business of one part. Options of links are checked by their transport. */
export const SHAPE = z.strictObject({
  store: level('store').default('demo').describe('Level of every MQTT topic'),
  http: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1').describe('0.0.0.0 lets the network in'),
      port: port.default(8080).describe('0 takes any free port'),
      tokens: z
        .strictObject({
          operatorFile: file.optional(),
          judgeFile: file.optional(),
          judges: z
            .record(z.string().min(1).max(64), file)
            .default({})
            .describe('Judges by name, each with a file of an own secret: the name goes into the record'),
          playerAFile: file.optional(),
          playerBFile: file.optional(),
        })
        .prefault({})
        .describe('Files whose first line is the secret of that role'),
      names: z
        .array(z.string().min(1))
        .default([])
        .describe('Further names under which browsers reach this host, as behind a proxy'),
      origins: z
        .array(z.url())
        .default([])
        .describe('Pages of other sites that may connect, as in https://club.example'),
    })
    .prefault({}),
  dataDir: file.default('./data').describe('Where journals are kept, from the folder of this file'),
  retention: z
    .strictObject({
      mostDays: z
        .number()
        .min(1)
        .max(36_500)
        .optional()
        .describe('Raw lines older than this are let go, days; rulings, commands and events are never'),
      mostGigabytes: z
        .number()
        .min(0.1)
        .max(100_000)
        .optional()
        .describe('Raw lines are let go, oldest first, while the journal of a table is larger than this'),
    })
    .prefault({})
    .describe('How much of the raw lines is kept; everything by default'),
  broker: z
    .strictObject({
      embedded: z.boolean().default(true).describe('False: use a broker that runs elsewhere'),
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(1).max(65_535).default(1883),
      url: z
        .url({ protocol: /^(mqtts?|wss?)$/, error: 'must be an address as in mqtts://broker.example:8883' })
        .refine((url) => !/\/\/[^/]*@/.test(url), 'must not carry a login; use username and passwordFile')
        .optional()
        .describe('Instead of host and port, for a broker that is not embedded'),
      username: z.string().min(1).optional(),
      passwordFile: file.optional().describe('File whose first line is the password'),
    })
    .prefault({}),
  tables: z.record(level('table'), table),
});

export type Shape = z.infer<typeof SHAPE>;
export type TableShape = z.infer<typeof table>;
