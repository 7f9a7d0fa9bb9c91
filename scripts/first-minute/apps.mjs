// The small applications of docs/first-minute.md: what a user of each framework would have written. Versions are pinned.

const ORDERS = `export interface Order {
  id: number;
  lines: { price: number; count: number }[];
}

export async function findOrder(id: number) {
  const order = await loadOrder(id);
  return { ...order, total: sumOf(order) };
}

async function loadOrder(id: number): Promise<Order> {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return { id, lines: [{ price: 5, count: id }, { price: 7, count: 2 }] };
}

function sumOf({ lines }: Order): number {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0);
}
`;

export const APPS = [
  {
    title: 'Fastify with TypeScript, run by tsx',
    name: 'fastify',
    packages: ['fastify@5', 'tsx@4'],
    type: 'module',
    start: 'tsx src/server.ts',
    files: {
      'src/orders.ts': ORDERS,
      'src/server.ts': `import Fastify, { type FastifyRequest } from 'fastify';
import { findOrder } from './orders.js';

const app = Fastify();
app.get('/orders/:id', async function showOrder(request: FastifyRequest<{ Params: { id: string } }>) {
  return findOrder(Number(request.params.id));
});
await app.listen({ port: Number(process.env.PORT) });
`,
    },
    list: '*Order',
    graph: 'showOrder',
    shown: 'src/orders.ts',
    expected: ['showOrder', 'findOrder', 'loadOrder', 'sumOf', 'sumOf.reduce@17'],
  },
  {
    title: 'Fastify with TypeScript, run by Node itself',
    name: 'fastify-node',
    node: '24',
    packages: ['fastify@5'],
    type: 'module',
    start: 'node src/server.ts',
    files: {
      'src/orders.ts': ORDERS,
      'src/server.ts': `import Fastify, { type FastifyRequest } from 'fastify';
import { findOrder } from './orders.ts';

const app = Fastify();
app.get('/orders/:id', async function showOrder(request: FastifyRequest<{ Params: { id: string } }>) {
  return findOrder(Number(request.params.id));
});
await app.listen({ port: Number(process.env.PORT) });
`,
    },
    note: 'Node 24 strips the types itself. Here `fentry record` starts the server and records it until Ctrl-C.',
    record: ['-g', 'showOrder', '-o', 'orders.dat'],
    shown: 'src/orders.ts',
    expected: ['showOrder', 'findOrder', 'loadOrder', 'sumOf', 'sumOf.reduce@17'],
  },
  {
    title: 'NestJS',
    name: 'nestjs',
    packages: [
      '@nestjs/cli@11',
      '@nestjs/common@11',
      '@nestjs/core@11',
      '@nestjs/platform-express@11',
      'reflect-metadata',
      'rxjs@7',
      'typescript@5.9',
      '@types/node@20',
    ],
    start: 'nest start',
    files: {
      'src/orders.controller.ts': `import { Controller, Get, Param, ParseIntPipe } from '@nestjs/common';
import { OrdersService } from './orders.service';

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get(':id')
  async show(@Param('id', ParseIntPipe) id: number) {
    return this.orders.find(id);
  }
}
`,
      'src/orders.service.ts': `import { Injectable } from '@nestjs/common';

interface Order {
  id: number;
  lines: { price: number; count: number }[];
}

@Injectable()
export class OrdersService {
  async find(id: number) {
    const order = await this.load(id);
    return { ...order, total: this.total(order) };
  }

  private async load(id: number): Promise<Order> {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return { id, lines: [{ price: 5, count: id }, { price: 7, count: 2 }] };
  }

  private total({ lines }: Order): number {
    return lines.reduce((sum, { price, count }) => sum + price * count, 0);
  }
}
`,
      'src/app.module.ts': `import { Module } from '@nestjs/common';
import { OrdersController } from './orders.controller';
import { OrdersService } from './orders.service';

@Module({ controllers: [OrdersController], providers: [OrdersService] })
export class AppModule {}
`,
      'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  await app.listen(process.env.PORT ?? 3000);
}
bootstrap();
`,
      'nest-cli.json': '{ "sourceRoot": "src" }\n',
      'tsconfig.json': `{
  "compilerOptions": {
    "module": "commonjs",
    "target": "es2022",
    "outDir": "dist",
    "sourceMap": true,
    "experimentalDecorators": true,
    "emitDecoratorMetadata": true
  }
}
`,
    },
    list: 'Orders*',
    graph: 'OrdersController.show',
    shown: 'src/orders.service.ts',
    expected: ['OrdersController.show', 'OrdersService.find', 'OrdersService.load', 'OrdersService.total.reduce@21'],
  },
  {
    title: 'Vite, server-side rendering',
    name: 'vite-ssr',
    packages: ['vite@7', 'express@5'],
    type: 'module',
    start: 'node server.js',
    files: {
      'server.js': `import express from 'express';
import { createServer } from 'vite';

const vite = await createServer({ server: { middlewareMode: true, ws: false, hmr: false }, appType: 'custom', logLevel: 'error' });
const app = express();
app.use(vite.middlewares);
app.get('/orders/:id', async (request, response) => {
  const { render } = await vite.ssrLoadModule('/src/page.ts');
  response.send(await render(Number(request.params.id)));
});
app.listen(Number(process.env.PORT));
`,
      'src/page.ts': `import { findOrder } from './orders';

export async function render(id: number): Promise<string> {
  const { total } = await findOrder(id);
  return \`<p>Order \${id}: \${total}</p>\`;
}
`,
      'src/orders.ts': ORDERS,
    },
    note: "Vite compiles the application's files itself ([how fentry traces them](test-runners.md)).",
    list: '*Order*',
    graph: 'render',
    shown: 'src/orders.ts',
    expected: ['render', 'findOrder', 'loadOrder', 'sumOf'],
  },
  {
    title: 'Next.js, in development',
    name: 'next',
    packages: ['next@16', 'react@19', 'react-dom@19', 'typescript@5.9', '@types/react@19', '@types/node@20'],
    start: 'next dev',
    files: {
      'lib/orders.ts': ORDERS,
      'app/layout.tsx': `export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`,
      'app/orders/[id]/page.tsx': `import { findOrder } from '../../../lib/orders';

export default async function OrderPage({ params }: { params: Promise<{ id: string }> }) {
  const order = await findOrder(Number((await params).id));
  return <p>Order {order.id}: {order.total}</p>;
}
`,
    },
    list: '*Order*',
    graph: 'findOrder',
    own: true,
    note: 'In development, Next installs an `async_hooks` hook that runs at each promise and would fill the graph; `--own` traces only the application. When Next is built, [names come from its source maps](symbols.md#nextjs-built).',
    shown: 'lib/orders.ts',
    expected: ['findOrder', 'loadOrder', 'sumOf'],
  },
];
